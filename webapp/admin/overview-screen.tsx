import { RefreshCw } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { Instance, JobCounts } from "#shared/admin/instance-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ShareReport } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
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
      <Attention newFeedback={instance.newFeedback} failed={failed} reports={reports.length} />
      <ServerState instance={instance} />
      <section id="jobs" className="admin-section">
        <h2>{t("admin.jobs")}</h2>
        {kinds.length === 0 ? <p>{t("admin.jobs_none")}</p> : <JobCountsTable kinds={kinds} />}
        {kinds.length > 0 && <JobLists failed={failed} onChanged={onChanged} />}
      </section>
      <section id="reports" className="admin-section">
        <h2>{t("admin.reports")}</h2>
        <Reports reports={reports} />
      </section>
      <BillingNotes />
      <section className="admin-section">
        <h2>{t("admin.log")}</h2>
        <ActionLog />
      </section>
    </>
  );
}

function Attention({ newFeedback, failed, reports }: { newFeedback: number; failed: number; reports: number }) {
  const isCalm = newFeedback + failed + reports === 0;
  return (
    <section className={failed > 0 ? "admin-attention admin-attention-failed" : "admin-attention"}>
      <h2>{t("admin.todo")}</h2>
      {isCalm && <p>{t("admin.todo_none")}</p>}
      <ul role="list">
        {failed > 0 && (
          <li>
            <a href="#jobs">{t("admin.todo_jobs", { count: failed })}</a>
          </li>
        )}
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
  const { store, blobs, freeBytes, services } = instance;
  const facts = [
    [t("admin.version"), instance.version],
    [t("admin.running_since"), formatRelativeDate(instance.startedAt, now)],
    [t("admin.storage"), `${store.kind} · ${stateName(store.status)}`],
    [t("admin.files"), stateName(blobs)],
    [t("admin.free_space"), freeBytes < 0 ? t("admin.unknown") : formatSize(freeBytes)],
    [t("admin.account_count"), String(instance.accounts)],
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

function Reports({ reports }: { reports: readonly ShareReport[] }) {
  const now = useNow();
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
          <Link
            className="button button-secondary"
            to={screenPath("share", { share: report.shareId })}
            aria-label={t("admin.report_open_of", { title: report.title || t("sharing.untitled") })}
          >
            {t("admin.report_open")}
          </Link>
        </li>
      ))}
    </ul>
  );
}
