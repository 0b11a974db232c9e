import type { ReactNode } from "react";

export interface Column<T> {
  title: string;
  cell: (item: T) => ReactNode;
  isNumber?: boolean;
  /** Its cells may take several lines. */
  isProse?: boolean;
}

interface Props<T> {
  label: string;
  /** The first column names the row. */
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => string;
}

/**
 * A table whose rows become blocks on a phone. Its roles are explicit, because browsers drop the implicit ones when the
 * `display` of a table changes.
 */
export function StackedTable<T>({ label, columns, items, keyOf }: Props<T>) {
  return (
    <div className="admin-table-frame" role="group" tabIndex={0} aria-label={label}>
      <table className="admin-table admin-stacked" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.title} role="columnheader" scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <Row key={keyOf(item)} item={item} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = <T,>({ isNumber, isProse }: Column<T>) =>
  isNumber === true ? "admin-number" : isProse === true ? "admin-prose" : undefined;

const Row = <T,>({ item, columns }: { item: T; columns: readonly Column<T>[] }) => (
  <tr role="row">
    {columns.map((column, index) =>
      index === 0 ? (
        <th key={column.title} role="rowheader" scope="row">
          {column.cell(item)}
        </th>
      ) : (
        <td key={column.title} role="cell" className={classOf(column)} data-label={column.title}>
          {column.cell(item)}
        </td>
      ),
    )}
  </tr>
);
