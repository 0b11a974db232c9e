import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ShareReport } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { reasonNames } from "#webapp/sharing/names.ts";
import { type ListPage, useList } from "../lists/use-list.ts";
import { useShown } from "../lists/use-shown.ts";
import { CsvButton } from "../lists/csv-button.tsx";

export async function readReports(after: string | undefined): Promise<ListPage<ShareReport>> {
  const { reports, next } = await client.sharing.listReports(after === undefined ? {} : { after });
  return { items: reports, next };
}

interface Props {
  /** The first page, which the overview has read. */
  first: ListPage<ShareReport>;
  onChanged: () => void;
}

/** Reports about shared content: open it to take it down, or dismiss the report. */
export function ReportList({ first, onChanged }: Props) {
  const read = useCallback(
    (after: string | undefined) => (after === undefined ? Promise.resolve(first) : readReports(after)),
    [first],
  );
  const { list, loadMore } = useList(read);
  const { shown, hasMore, showMore } = useShown(list, loadMore);
  if (list.state !== "ready") return null;
  const isEmpty = list.items.length === 0 && list.next === null;
  return (
    <section id="reports" className="admin-section">
      <div className="admin-header">
        <h2>{t("admin.reports")}</h2>
        {!isEmpty && <CsvButton name="reports" read={() => adminClient.exportReports({})} />}
      </div>
      {isEmpty ? (
        <p>{t("admin.reports_none")}</p>
      ) : (
        <ul role="list" className="admin-rows">
          {shown.map((report) => (
            <ReportRow key={report._id} report={report} onDismissed={onChanged} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button
          variant="quiet"
          pending={list.isLoadingMore}
          aria-label={t("admin.load_more_of", { list: t("admin.reports") })}
          onClick={showMore}
        >
          {t("admin.load_more")}
        </Button>
      )}
    </section>
  );
}

function ReportRow({ report, onDismissed }: { report: ShareReport; onDismissed: () => void }) {
  const now = useNow();
  const title = report.title || t("sharing.untitled");
  const dismiss = async () => {
    try {
      await client.sharing.dismissReport({ id: report._id });
      onDismissed();
    } catch {
      notify({ type: "error", message: t("admin.change_failed") });
    }
  };
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p className="admin-quiet">
          {reasonNames[report.reason]} · {formatRelativeDate(report.createdAt, now)}
        </p>
        {report.text !== "" && <p className="admin-words">{report.text}</p>}
      </div>
      <div className="admin-actions">
        <Link
          className="button button-secondary"
          to={screenPath("share", { share: report.shareId })}
          aria-label={t("admin.report_open_of", { title })}
        >
          {t("admin.report_open")}
        </Link>
        <Button variant="quiet" aria-label={t("admin.report_dismiss_of", { title })} onClick={() => void dismiss()}>
          {t("admin.report_dismiss")}
        </Button>
      </div>
    </li>
  );
}
