import { RefreshCw } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, useState } from "react";
import type { Instance, JobCounts } from "#shared/admin/instance-contract.ts";
import { countNeeds, isFailure, type Need } from "#shared/admin/needs.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ReportReason, ShareReport } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { ActionLog } from "./parts/action-log.tsx";
import { BillingNotes } from "./parts/billing-notes.tsx";
import { FactList } from "./parts/fact-list.tsx";
import { JobCountsTable, JobLists } from "./parts/jobs.tsx";
import { ReportList, readReports } from "./parts/report-list.tsx";
import type { ListPage } from "./lists/use-list.ts";

interface Overview {
  instance: Instance;
  kinds: readonly JobCounts[];
  /** The first page. */
  reports: ListPage<ShareReport>;
}

async function readOverview(): Promise<Overview> {
  const [instance, { kinds }, reports] = await Promise.all([
    adminClient.getInstance({}),
    adminClient.countJobs({}),
    readReports({}),
  ]);
  return { instance, kinds, reports };
}

/** `/admin`: the state of the server, what needs attention, background jobs, reports and the log. */
export function OverviewScreen() {
  const { answer, retry } = useAsyncValue(readOverview);
  const [reason, setReason] = useState<ReportReason | "all">("all");
  const refresh = (
    <Button variant="quiet" icon={<RefreshCw aria-hidden />} onClick={retry} pending={answer.state === "loading"}>
      {t("admin.refresh")}
    </Button>
  );
  return (
    <AdminFrame tab="admin" actions={refresh}>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 60]} height={72} />}
      {answer.state === "failed" && <LoadError error={answer.error} onRetry={retry} />}
      {answer.state === "ready" && (
        <OverviewBody {...answer.value} reason={reason} onReason={setReason} onChanged={retry} />
      )}
    </AdminFrame>
  );
}

type BodyProps = Overview & Omit<ComponentProps<typeof ReportList>, "first">;

function OverviewBody({ instance, kinds, reports, ...reportList }: BodyProps) {
  const failed = kinds.reduce((sum, kind) => sum + kind.failed, 0);
  return (
    <>
      <Attention
        instance={instance}
        failedJobs={failed}
        reports={reports.items.length}
        hasMoreReports={reports.next !== null}
      />
      <ServerState instance={instance} />
      <section id="jobs" className="admin-section">
        <h2>{t("admin.jobs")}</h2>
        {kinds.length === 0 ? <p>{t("admin.jobs_none")}</p> : <JobCountsTable kinds={kinds} />}
        {kinds.length > 0 && <JobLists failed={failed} onChanged={reportList.onChanged} />}
      </section>
      <ReportList first={reports} {...reportList} />
      <BillingNotes />
      <section className="admin-section">
        <h2>{t("admin.log")}</h2>
        <ActionLog />
      </section>
    </>
  );
}

type Counts = Parameters<typeof countNeeds>[1];

/** Links to the need's screen or section. A need without either is plain text. */
function NeedLink({ need, children }: { need: Need; children: string }) {
  if (need === "feedback") return <Link to={screenPath("adminFeedback", {})}>{children}</Link>;
  if (need === "jobs" || need === "reports") return <a href={`#${need}`}>{children}</a>;
  return children;
}

function Attention({ instance, ...counts }: Counts & { instance: Instance }) {
  const needs = countNeeds(instance, counts);
  const hasFailed = needs.some(({ need }) => isFailure(need));
  const reportsKey = !counts.hasMoreReports ? "reports" : counts.reports > 0 ? "reports_more" : "reports_older";
  const keyOf = (need: Need) => (need === "reports" ? reportsKey : need);
  return (
    <section className={hasFailed ? "admin-attention admin-attention-failed" : "admin-attention"}>
      <h2>{t("admin.todo")}</h2>
      {needs.length === 0 ? (
        <p>{t("admin.todo_none")}</p>
      ) : (
        <ul role="list">
          {needs.map(({ need, count }) => (
            <li key={need}>
              <NeedLink need={need}>{t(`admin.todo_${keyOf(need)}`, { count })}</NeedLink>
            </li>
          ))}
        </ul>
      )}
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
