import { useCallback, useState } from "react";
import type { Cancellation } from "#shared/admin/lists-contract.ts";
import { CancellationReason } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { planName } from "./plain-names.ts";
import { CsvButton } from "./lists/csv-button.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";
import { ShareList } from "./parts/share-list.tsx";

interface ReasonCount {
  reason: CancellationReason;
  count: number;
}

const reasonName = (reason: CancellationReason | null) => (reason === null ? "–" : t(`billing.${reason}_reason`));

const columnsAt = (now: number): readonly Column<Cancellation>[] => [
  { title: t("lists.reason"), cell: ({ reason }) => reasonName(reason) },
  { title: t("lists.comment"), cell: ({ comment }) => <span className="admin-words">{comment || "–"}</span> },
  { title: t("admin.account_plan"), cell: ({ plan }) => (plan === null ? "–" : planName(plan)) },
  {
    title: t("lists.account_age"),
    cell: ({ accountAgeDays }) => (accountAgeDays === null ? "–" : t("lists.days", { count: accountAgeDays })),
    isNumber: true,
  },
  { title: t("lists.when"), cell: ({ createdAt }) => formatRelativeDate(createdAt, now) },
];

/** `/admin/cancellation_reasons`: why students cancelled their plan. */
export function CancellationsScreen() {
  const now = useNow();
  const [reasons, setReasons] = useState<readonly ReasonCount[]>([]);
  const [chosen, setChosen] = useState<CancellationReason | "all">("all");
  const filter = chosen === "all" ? {} : { reason: chosen };
  const read = useCallback(
    async (after: string | undefined) => {
      const page = await adminClient.listCancellations({
        ...(chosen !== "all" && { reason: chosen }),
        ...(after !== undefined && { after }),
      });
      setReasons(page.reasons);
      return { items: page.cancellations, next: page.next };
    },
    [chosen],
  );
  return (
    <AdminFrame
      tab="adminCancellation"
      actions={<CsvButton name="cancellations" read={() => adminClient.exportCancellations(filter)} />}
    >
      {reasons.length > 0 && (
        <section className="admin-section">
          <h2>{t("lists.reasons")}</h2>
          <ShareList
            whole={reasons.reduce((sum, { count }) => sum + count, 0)}
            rows={reasons.map(({ reason, count }) => ({ name: reasonName(reason), count }))}
          />
        </section>
      )}
      <div className="admin-filters">
        <Select
          label={t("lists.reason")}
          value={chosen}
          options={(["all", ...CancellationReason.options] as const).map((value) => ({
            value,
            label: value === "all" ? t("figures.all") : reasonName(value),
          }))}
          onValue={setChosen}
        />
      </div>
      <PagedTable
        label={t("lists.cancellations")}
        columns={columnsAt(now)}
        read={read}
        empty={{ title: t("lists.cancellations_none"), text: t("lists.cancellations_none_text") }}
      />
    </AdminFrame>
  );
}
