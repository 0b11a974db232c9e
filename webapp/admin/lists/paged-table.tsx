import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { LoadError } from "../admin-frame.tsx";
import { type ListPage, useList } from "./use-list.ts";
import { type Column, StackedTable } from "./stacked-table.tsx";

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  /** Must be stable: a new function reads from the start. */
  read: (after: string | undefined) => Promise<ListPage<T>>;
  empty: { title: string; text: string };
}

/** A list that is read page by page, as a table. */
export function PagedTable<T extends { _id: string }>({ label, columns, read, empty }: Props<T>) {
  const { list, reload, loadMore } = useList(read);
  if (list.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={32} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  if (list.items.length === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  return (
    <>
      <StackedTable label={label} columns={columns} items={list.items} keyOf={({ _id }) => _id} />
      {list.next !== null && (
        <Button variant="quiet" pending={list.isLoadingMore} onClick={() => void loadMore()}>
          {t("admin.load_more")}
        </Button>
      )}
    </>
  );
}
