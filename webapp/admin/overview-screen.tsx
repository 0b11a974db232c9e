import { RefreshCw } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { Instance, JobCounts } from "#shared/admin/instance-contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ShareReport } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { reasonNames } from "#webapp/sharing/names.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { ActionLog } from "./parts/action-log.tsx";
import { BillingNotes } from "./parts/billing-notes.tsx";
import { CsvButton } from "./parts/csv-button.tsx";
import { FactList } from "./parts/fact-list.tsx";
import { JobCountsTable, JobLists } from "./parts/jobs.tsx";

interface Overview {
  instance: Instance;
  kinds: readonly JobCounts[];
  reports: readonly ShareReport[];
}

async function readOverview(): Promise<Overview> {
  const [instance, { kinds }, { reports }] = await Promise.all([
    adminClient.getInstance({}),
    adminClient.countJobs({}),
    client.sharing.listReports({}),
  ]);
  return { instance, kinds, reports };
}

/** `/admin`: the state of the server, what needs attention, background jobs, reports and the log. */
export function OverviewScreen() {
  const { answer, retry } = useAsyncValue(readOverview);
  const refresh = (
    <Button variant="quiet" icon={<RefreshCw aria-hidden />} onClick={retry} pending={answer.state === "loading"}>
      {t("admin.refresh")}
    </Button>
  );
  return (
    <AdminFrame tab="admin" actions={refresh}>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 60]} height={72} />}
      {answer.state === "failed" && <LoadError error={answer.error} onRetry={retry} />}
      {answer.state === "ready" && <OverviewBody {...answer.value} onChanged={retry} />}
    </AdminFrame>
  );
}

function OverviewBody({ instance, kinds, reports, onChanged }: Overview & { onChanged: () => void }) {
  const failed = kinds.reduce((sum, kind) => sum + kind.failed, 0);
  return (
    <>
      <Attention instance={instance} failed={failed} reports={reports.length} />
      <ServerState instance={instance} />
      <section id="jobs" className="admin-section">
        <h2>{t("admin.jobs")}</h2>
        {kinds.length === 0 ? <p>{t("admin.jobs_none")}</p> : <JobCountsTable kinds={kinds} />}
        {kinds.length > 0 && <JobLists failed={failed} onChanged={onChanged} />}
      </section>
      <section id="reports" className="admin-section">
        <div className="admin-header">
          <h2>{t("admin.reports")}</h2>
          {reports.length > 0 && <CsvButton name="reports" read={() => adminClient.exportReports({})} />}
        </div>
        <Reports reports={reports} onChanged={onChanged} />
      </section>
      <BillingNotes />
      <section className="admin-section">
        <h2>{t("admin.log")}</h2>
        <ActionLog />
      </section>
    </>
  );
}

function Attention({ instance, failed, reports }: { instance: Instance; failed: number; reports: number }) {
  const { newFeedback, failedPaymentEvents, backup } = instance;
  const isLate = backup?.isLate === true;
  const isCalm = newFeedback + failed + reports + failedPaymentEvents === 0 && !isLate;
  const hasFailed = failed + failedPaymentEvents > 0;
  return (
    <section className={hasFailed ? "admin-attention admin-attention-failed" : "admin-attention"}>
      <h2>{t("admin.todo")}</h2>
      {isCalm && <p>{t("admin.todo_none")}</p>}
      <ul role="list">
        {failed > 0 && (
          <li>
            <a href="#jobs">{t("admin.todo_jobs", { count: failed })}</a>
          </li>
        )}
        {failedPaymentEvents > 0 && <li>{t("admin.todo_payments", { count: failedPaymentEvents })}</li>}
        {isLate && <li>{t("admin.todo_backup")}</li>}
        {newFeedback > 0 && (
          <li>
            <Link to={screenPath("adminFeedback", {})}>{t("admin.todo_feedback", { count: newFeedback })}</Link>
          </li>
        )}
        {reports > 0 && (
          <li>
            <a href="#reports">{t("admin.todo_reports", { count: reports })}</a>
          </li>
        )}
      </ul>
    </section>
  );
}

const stateName = (state: "ok" | "failing") => t(state === "ok" ? "admin.ok" : "admin.failing");

function ServerState({ instance }: { instance: Instance }) {
  const now = useNow();
  const { store, blobs, freeBytes, services, models, backup } = instance;
  const facts = [
    [t("admin.version"), instance.version],
    [t("admin.running_since"), formatRelativeDate(instance.startedAt, now)],
    [t("admin.storage"), `${store.kind} · ${stateName(store.status)}`],
    [t("admin.files"), stateName(blobs)],
    [t("admin.free_space"), freeBytes < 0 ? t("admin.unknown") : formatSize(freeBytes)],
    [t("admin.backup"), backup === null ? t("admin.backup_own") : formatLastBackup(backup.lastAt, now)],
    [t("admin.account_count"), formatNumber(instance.accounts)],
    [t("admin.models"), models.names.join(", ") || "–"],
    [t("admin.tokens_today"), formatTokens(models)],
  ] as const;
  return (
    <section className="admin-section">
      <h2>{t("admin.server")}</h2>
      <FactList facts={facts} />
      <h3>{t("admin.services")}</h3>
      <dl className="admin-services">
        {services.map(({ name, missing }) => (
          <div key={name}>
            <dt>{t(`admin.service_${name}`)}</dt>
            <dd>{missing.length === 0 ? t("admin.is_set") : t("admin.is_missing", { names: missing.join(", ") })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const formatLastBackup = (lastAt: number | null, now: number) =>
  lastAt === null ? t("admin.backup_none") : formatRelativeDate(lastAt, now);

const formatTokens = ({ tokensToday, dailyBudget }: Instance["models"]) =>
  dailyBudget === null
    ? formatNumber(tokensToday)
    : t("admin.tokens_of", { used: formatNumber(tokensToday), budget: formatNumber(dailyBudget) });

function Reports({ reports, onChanged }: Pick<Overview, "reports"> & { onChanged: () => void }) {
  const now = useNow();
  const dismiss = async ({ _id: id }: ShareReport) => {
    try {
      await client.sharing.dismissReport({ id });
      onChanged();
    } catch {
      notify({ type: "error", message: t("admin.change_failed") });
    }
  };
  if (reports.length === 0) return <p>{t("admin.reports_none")}</p>;
  return (
    <ul role="list" className="admin-rows">
      {reports.map((report) => (
        <li key={report._id}>
          <div>
            <strong>{report.title || t("sharing.untitled")}</strong>
            <p className="admin-quiet">
              {reasonNames[report.reason]} · {formatRelativeDate(report.createdAt, now)}
            </p>
            {report.text !== "" && <p className="admin-words">{report.text}</p>}
          </div>
          <div className="admin-actions">
            <Link
              className="button button-secondary"
              to={screenPath("share", { share: report.shareId })}
              aria-label={t("admin.report_open_of", { title: report.title || t("sharing.untitled") })}
            >
              {t("admin.report_open")}
            </Link>
            <Button
              variant="quiet"
              aria-label={t("admin.report_dismiss_of", { title: report.title || t("sharing.untitled") })}
              onClick={() => void dismiss(report)}
            >
              {t("admin.report_dismiss")}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}
