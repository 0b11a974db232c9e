import { useState, type ReactNode } from "react";
import { CancellationReason, type Subscription } from "#shared/billing/schema.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { cancelSubscription, pauseSubscription } from "../state.ts";

const pauses = ["14", "30", "60", "90"] as const;

interface ConfirmProps {
  action: string;
  isDanger?: boolean;
  children: ReactNode;
  /** Resolves to an error message; undefined once it is done. */
  onConfirm: () => Promise<string | undefined>;
  onBack: () => void;
}

function Confirm({ action, isDanger = false, children, onConfirm, onBack }: ConfirmProps) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setPending(true);
    const message = await onConfirm();
    setPending(false);
    setError(message);
  };
  return (
    <div className="billing-form">
      {children}
      {error !== undefined && (
        <p className="billing-error" role="alert">
          {error}
        </p>
      )}
      <p className="billing-actions">
        <Button variant={isDanger ? "danger" : "primary"} pending={isPending} onClick={() => void confirm()}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {t("billing.back")}
        </Button>
      </p>
    </div>
  );
}

export function PauseSection() {
  const [isOpen, setOpen] = useState(false);
  const [days, setDays] = useState<(typeof pauses)[number]>("30");
  return (
    <section>
      <h2>{t("billing.pause_title")}</h2>
      <p>{t("billing.pause_text")}</p>
      {isOpen ? (
        <Confirm
          action={t("billing.pause")}
          onConfirm={() => pauseSubscription(Number(days))}
          onBack={() => setOpen(false)}
        >
          <Segmented
            label={t("billing.pause_for")}
            labelShown
            value={days}
            onValue={setDays}
            options={pauses.map((value) => ({ value, label: t(`billing.days_${value}`) }))}
          />
        </Confirm>
      ) : (
        <Button onClick={() => setOpen(true)}>{t("billing.pause")}</Button>
      )}
    </section>
  );
}

export function CancelSection({ subscription }: { subscription: Subscription }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState<CancellationReason | "">("");
  const [comment, setComment] = useState("");
  const now = useNow();
  const date = new Date(subscription.periodEndsAt ?? now).toLocaleDateString(documentLanguage(), { dateStyle: "long" });
  return (
    <section>
      <h2>{t("billing.cancel")}</h2>
      <p>{t("billing.cancel_text", { date })}</p>
      {isOpen ? (
        <Confirm
          action={t("billing.cancel")}
          isDanger
          onConfirm={() => cancelSubscription(reason || null, comment)}
          onBack={() => setOpen(false)}
        >
          <Select
            label={t("billing.cancel_reason")}
            value={reason}
            onValue={setReason}
            options={[
              { value: "", label: t("billing.cancel_choose") },
              ...CancellationReason.options.map((value) => ({ value, label: t(`billing.${value}_reason`) })),
            ]}
          />
          <TextArea
            label={t("billing.cancel_comment")}
            value={comment}
            maxLength={1000}
            rows={3}
            onChange={(event) => setComment(event.target.value)}
          />
        </Confirm>
      ) : (
        <Button variant="quiet" onClick={() => setOpen(true)}>
          {t("billing.cancel")}
        </Button>
      )}
    </section>
  );
}
