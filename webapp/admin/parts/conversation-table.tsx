import { Link } from "@tanstack/react-router";
import type { ConversationSummary } from "#shared/admin/lists-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import type { ListPage } from "../lists/use-list.ts";
import { PagedTable } from "../lists/paged-table.tsx";
import type { Column } from "../lists/stacked-table.tsx";

interface Props {
  label: string;
  /** Must be stable. */
  read: (after: string | undefined) => Promise<ListPage<ConversationSummary>>;
}

const columnsAt = (now: number): readonly Column<ConversationSummary>[] => [
  {
    title: t("lists.when"),
    cell: ({ _id, at }) => (
      <Link className="admin-link" to={screenPath("adminConversation", { id: _id })}>
        {formatRelativeDate(at, now)}
      </Link>
    ),
  },
  { title: t("lists.thumb"), cell: ({ thumb }) => (thumb === null ? "–" : t(`lists.thumb_${thumb}`)) },
  { title: t("lists.model"), cell: ({ model }) => model },
];

/** Conversations without their texts, which only the conversation's own screen shows. */
export function ConversationTable({ label, read }: Props) {
  const now = useNow();
  return (
    <PagedTable
      label={label}
      columns={columnsAt(now)}
      read={read}
      empty={{ title: t("lists.opened_none"), text: t("lists.opened_none_text") }}
    />
  );
}
