import type { Recurrence } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";

interface Props {
  value: Recurrence;
  onValue: (value: Recurrence) => void;
}

/** The choice between monthly and yearly prices. */
export const RecurrenceChoice = (props: Props) => (
  <Segmented
    label={t("billing.recurrence")}
    options={[
      { value: "monthly", label: t("billing.monthly") },
      { value: "yearly", label: t("billing.yearly") },
    ]}
    {...props}
  />
);
