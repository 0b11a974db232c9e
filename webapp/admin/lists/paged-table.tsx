import { ListFrame } from "./list-frame.tsx";
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
  return (
    <ListFrame label={label} loaded={useList(read)} empty={empty}>
      {(items) => <StackedTable label={label} columns={columns} items={items} keyOf={({ _id }) => _id} />}
    </ListFrame>
  );
}
