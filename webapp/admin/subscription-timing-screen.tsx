import { useCallback } from "react";
import type { SubscriptionStart } from "#shared/admin/lists-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { CsvButton } from "./parts/csv-button.tsx";
import { type Column, PagedTable } from "./parts/paged-table.tsx";

const formatDays = (count: number | null, otherwise: string) =>
  count === null ? otherwise : t("lists.days", { count });

const columnsAt = (now: number): readonly Column<SubscriptionStart>[] => [
  { title: t("lists.started"), cell: ({ createdAt }) => formatRelativeDate(createdAt, now) },
  {
    title: t("lists.after_sign_up"),
    cell: ({ daysAfterSignUp }) => formatDays(daysAfterSignUp, "–"),
    isNumber: true,
  },
  {
    title: t("lists.recurrence"),
    cell: ({ recurrence }) => (recurrence === null ? "–" : t(`lists.recurrence_${recurrence}`)),
  },
  {
    title: t("lists.lasted"),
    cell: ({ durationDays }) => formatDays(durationDays, t("lists.still_running")),
    isNumber: true,
  },
];

/** `/admin/subscription_timing`: how long after signing up accounts began to pay, and how long they did. */
export function SubscriptionTimingScreen() {
  const now = useNow();
  const read = useCallback(async (after: string | undefined) => {
    const { starts, next } = await adminClient.listSubscriptionStarts(after === undefined ? {} : { after });
    return { items: starts, next };
  }, []);
  return (
    <AdminFrame
      tab="adminTiming"
      actions={<CsvButton name="subscription-timing" read={() => adminClient.exportSubscriptionStarts({})} />}
    >
      <p>{t("lists.timing_text")}</p>
      <PagedTable
        label={t("lists.timing")}
        columns={columnsAt(now)}
        read={read}
        empty={{ title: t("lists.timing_none"), text: t("lists.timing_none_text") }}
      />
    </AdminFrame>
  );
}
