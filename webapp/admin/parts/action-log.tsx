import { useCallback, useMemo } from "react";
import type { AuditEntry } from "#shared/admin/instance-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { type Column, PagedTable } from "./paged-table.tsx";

const columnsOf = (now: number): Column<AuditEntry>[] => [
  { title: t("admin.log_when"), cell: ({ at }) => formatRelativeDate(at, now) },
  { title: t("admin.log_who"), cell: ({ adminEmail }) => adminEmail },
  { title: t("admin.log_what"), cell: ({ action }) => t(`admin.action_${action}`) },
  { title: t("admin.log_target"), cell: ({ target }) => <code>{target}</code> },
];

export function ActionLog() {
  const now = useNow();
  const read = useCallback(async (after: string | undefined) => {
    const { entries, next } = await adminClient.listAudit(after === undefined ? {} : { after });
    return { items: entries, next };
  }, []);
  const columns = useMemo(() => columnsOf(now), [now]);
  const empty = { title: t("admin.log"), text: t("admin.log_none") };
  return <PagedTable label={t("admin.log")} columns={columns} read={read} empty={empty} />;
}
