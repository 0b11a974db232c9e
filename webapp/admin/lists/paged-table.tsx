import { ListFrame } from "./list-frame.tsx";
import { type ListPage, useList } from "./use-list.ts";
import { type Column, StackedTable } from "./stacked-table.tsx";

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  /** Must be stable: a new function loads the list again from its first page. */
  read: (after: string | undefined) => Promise<ListPage<T>>;
  empty: { title: string; text: string };
}

/** A table whose rows are loaded page by page. */
export function PagedTable<T extends { _id: string }>({ label, columns, read, empty }: Props<T>) {
  return (
    <ListFrame label={label} loaded={useList(read)} empty={empty}>
      {(items) => <StackedTable label={label} columns={columns} items={items} keyOf={({ _id }) => _id} />}
    </ListFrame>
  );
}
