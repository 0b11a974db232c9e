import { useCallback, useMemo, useState } from "react";
import { ADMIN_ACTIONS, type AuditEntry } from "#shared/admin/instance-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { CsvButton } from "../lists/csv-button.tsx";
import { PagedTable } from "../lists/paged-table.tsx";
import type { Column } from "../lists/stacked-table.tsx";

type Action = AuditEntry["action"];

const columnsOf = (now: number): Column<AuditEntry>[] => [
  { title: t("admin.log_when"), cell: ({ at }) => formatRelativeDate(at, now) },
  { title: t("admin.log_who"), cell: ({ adminEmail }) => adminEmail },
  { title: t("admin.log_what"), cell: ({ action }) => t(`admin.action_${action}`) },
  { title: t("admin.log_target"), cell: ({ target }) => <code>{target}</code> },
];

export function ActionLog() {
  const now = useNow();
  const [action, setAction] = useState<Action | "all">("all");
  const filter = useMemo(() => (action === "all" ? {} : { action }), [action]);
  const read = useCallback(
    async (after: string | undefined) => {
      const { entries, next } = await adminClient.listAudit({ ...filter, ...(after !== undefined && { after }) });
      return { items: entries, next };
    },
    [filter],
  );
  const columns = useMemo(() => columnsOf(now), [now]);
  const empty = { title: t("admin.log_none"), text: t("admin.log_none_text") };
  return (
    <>
      <div className="admin-filters">
        <Select
          label={t("admin.log_what")}
          value={action}
          options={(["all", ...ADMIN_ACTIONS] as const).map((value) => ({
            value,
            label: value === "all" ? t("figures.all") : t(`admin.action_${value}`),
          }))}
          onValue={setAction}
        />
        <CsvButton name="log" read={() => adminClient.exportAudit(filter)} />
      </div>
      <PagedTable label={t("admin.log")} columns={columns} read={read} empty={empty} />
    </>
  );
}
