import { Link } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { ReportReason, type ShareReport } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { reportReasonNames } from "#webapp/sharing/share-labels.ts";
import { LoadError } from "../admin-frame.tsx";
import { LoadMore } from "../lists/load-more.tsx";
import { type ListPage, useList } from "../lists/use-list.ts";
import { useShown } from "../lists/use-shown.ts";
import { CsvButton } from "../lists/csv-button.tsx";

export async function readReports(
  query: Parameters<typeof client.sharing.listReports>[0],
): Promise<ListPage<ShareReport>> {
  const { reports, next } = await client.sharing.listReports(query);
  return { items: reports, next };
}

interface Props {
  /** The first page, which the overview has already loaded. */
  first: ListPage<ShareReport>;
  /** State of the overview, because this list is remounted after a change. */
  reason: ReportReason | "all";
  onReason: (reason: ReportReason | "all") => void;
  onChanged: () => void;
}

/** Reports about shared content. Administrators open the content to take it down, or dismiss the report. */
export function ReportList({ first, reason, onReason, onChanged }: Props) {
  const filter = useMemo(() => (reason === "all" ? {} : { reason }), [reason]);
  const read = useCallback(
    (after: string | undefined) =>
      reason === "all" && after === undefined
        ? Promise.resolve(first)
        : readReports({ ...filter, ...(after !== undefined && { after }) }),
    [first, reason, filter],
  );
  const isAnyFiled = first.items.length > 0 || first.next !== null;
  return (
    <section id="reports" className="admin-section">
      <div className="admin-header">
        <h2>{t("admin.reports")}</h2>
        {isAnyFiled && <CsvButton name="reports" read={() => adminClient.exportReports(filter)} />}
      </div>
      {isAnyFiled ? (
        <>
          <div className="admin-filters">
            <Select
              label={t("lists.reason")}
              value={reason}
              options={(["all", ...ReportReason.options] as const).map((value) => ({
                value,
                label: value === "all" ? t("figures.all") : reportReasonNames[value],
              }))}
              onValue={onReason}
            />
          </div>
          <Reports key={reason} read={read} onChanged={onChanged} />
        </>
      ) : (
        <p>{t("admin.reports_none")}</p>
      )}
    </section>
  );
}

interface ReportsProps {
  read: (after: string | undefined) => Promise<ListPage<ShareReport>>;
  onChanged: () => void;
}

function Reports({ read, onChanged }: ReportsProps) {
  const { list, reload, loadMore } = useList(read);
  const { shown, hasMore, showMore } = useShown(list, loadMore);
  if (list.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 100]} height={32} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  return (
    <>
      {shown.length > 0 && (
        <ul role="list" className="admin-rows">
          {shown.map((report) => (
            <ReportRow key={report._id} report={report} onDismissed={onChanged} />
          ))}
        </ul>
      )}
      {shown.length === 0 && !hasMore && <p>{t("admin.reports_none_of")}</p>}
      {hasMore && <LoadMore label={t("admin.reports")} isPending={list.isLoadingMore} onClick={showMore} />}
    </>
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
          {reportReasonNames[report.reason]} · {formatRelativeDate(report.createdAt, now)}
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
