import { useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { LoadError } from "../admin-frame.tsx";
import { useList } from "../use-list.ts";

export function ActionLog() {
  const now = useNow();
  const read = useCallback(async (after: string | undefined) => {
    const { entries, next } = await client.admin.listAudit(after === undefined ? {} : { after });
    return { items: entries, next };
  }, []);
  const { list, reload, loadMore } = useList(read);
  if (list.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 80]} height={20} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  if (list.items.length === 0) return <p>{t("admin.log_none")}</p>;
  return (
    <>
      <div className="admin-table-frame" role="group" tabIndex={0} aria-label={t("admin.log")}>
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col">{t("admin.log_when")}</th>
              <th scope="col">{t("admin.log_who")}</th>
              <th scope="col">{t("admin.log_what")}</th>
              <th scope="col">{t("admin.log_target")}</th>
            </tr>
          </thead>
          <tbody>
            {list.items.map(({ _id, at, adminEmail, action, target }) => (
              <tr key={_id}>
                <td>{formatRelativeDate(at, now)}</td>
                <td>{adminEmail}</td>
                <td>{t(`admin.action_${action}`)}</td>
                <td>
                  <code>{target}</code>
                </td>
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
