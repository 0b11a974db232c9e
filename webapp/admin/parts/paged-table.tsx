import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { LoadError } from "../admin-frame.tsx";
import { type ListPage, useList } from "../use-list.ts";

export interface Column<T> {
  title: string;
  cell: (item: T) => ReactNode;
  isNumber?: boolean;
}

interface Props<T> {
  label: string;
  /** The first column names the row. */
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
  const classOf = ({ isNumber }: Column<T>) => (isNumber === true ? "admin-number" : undefined);
  return (
    <>
      <div className="admin-table-frame" role="group" tabIndex={0} aria-label={label}>
        <table className="admin-table admin-stacked">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.items.map((item) => (
              <tr key={item._id}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.title} scope="row">
                      {column.cell(item)}
                    </th>
                  ) : (
                    <td key={column.title} className={classOf(column)} data-label={column.title}>
                      {column.cell(item)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.next !== null && (
        <Button variant="quiet" pending={list.isLoadingMore} onClick={() => void loadMore()}>
          {t("admin.load_more")}
        </Button>
      )}
    </>
  );
}
