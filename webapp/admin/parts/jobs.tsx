import { type ReactNode, useCallback, useState } from "react";
import type { AdminJob, JobCounts } from "#shared/admin/instance-contract.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { LoadError } from "../admin-frame.tsx";
import { formatSeconds } from "../format-figures.ts";
import { featureName } from "../plain-names.ts";
import { LoadMore } from "../lists/load-more.tsx";
import { useList } from "../lists/use-list.ts";
import { useShown } from "../lists/use-shown.ts";
import { type Column, StackedTable } from "../lists/stacked-table.tsx";

const countColumns = (now: number): Column<JobCounts>[] => [
  { title: t("admin.job_kind"), cell: ({ kind }) => featureName(kind) },
  { title: t("admin.job_waiting"), isNumber: true, cell: ({ waiting }) => formatNumber(waiting) },
  { title: t("admin.job_running"), isNumber: true, cell: ({ running }) => formatNumber(running) },
  {
    title: t("admin.job_failed"),
    isNumber: true,
    cell: ({ failed }) => (failed > 0 ? <span className="admin-bad">{formatNumber(failed)}</span> : "0"),
  },
  {
    title: t("admin.job_oldest"),
    isNumber: true,
    cell: ({ oldestWaitingAt }) => (oldestWaitingAt === null ? "–" : formatRelativeDate(oldestWaitingAt, now)),
  },
  { title: t("admin.job_p95"), isNumber: true, cell: ({ p95Ms }) => (p95Ms === null ? "–" : formatSeconds(p95Ms)) },
];

export function JobCountsTable({ kinds }: { kinds: readonly JobCounts[] }) {
  const now = useNow();
  return <StackedTable label={t("admin.jobs")} columns={countColumns(now)} items={kinds} keyOf={({ kind }) => kind} />;
}

/** The newest failed, running and waiting jobs, with buttons to retry or cancel them. */
export function JobLists({ failed, onChanged }: { failed: number; onChanged: () => void }) {
  const act = useJobAction(onChanged);
  const retryAll = () =>
    act.run(async () => {
      const { retried } = await adminClient.retryFailedJobs({});
      notify({ type: "success", message: t("admin.retried", { count: retried }) });
    });
  const retryAllButton = failed > 1 && (
    <Button pending={act.isPending} onClick={() => void retryAll()}>
      {t("admin.retry_all")}
    </Button>
  );
  const retry = {
    label: t("admin.retry"),
    labelOf: (job: AdminJob) => t("admin.retry_of", nameOf(job)),
    onAct: ({ _id: id }: AdminJob) => void act.run(() => adminClient.retryJob({ id })),
  };
  const cancel = {
    label: t("common.cancel"),
    labelOf: (job: AdminJob) => t("admin.cancel_of", nameOf(job)),
    onAct: ({ _id: id }: AdminJob) => void act.run(() => adminClient.cancelJob({ id })),
  };
  const { isPending } = act;
  return (
    <>
      <JobList status="failed" title={t("admin.failed_jobs")} button={retryAllButton} act={{ ...retry, isPending }} />
      <JobList status="running" title={t("admin.running_jobs")} act={{ ...cancel, isPending }} />
      <JobList status="waiting" title={t("admin.waiting_jobs")} act={{ ...cancel, isPending }} />
    </>
  );
}

interface ListProps {
  status: AdminJob["status"];
  title: string;
  button?: ReactNode;
  act: JobAct;
}

function JobList({ status, title, button, act }: ListProps) {
  const read = useCallback(
    async (after: string | undefined) => {
      const { jobs, next } = await adminClient.listJobs({ status, ...(after !== undefined && { after }) });
      return { items: jobs, next };
    },
    [status],
  );
  const { list, reload, loadMore } = useList(read);
  const { shown, hasMore, showMore } = useShown(list, loadMore);
  if (list.state === "loading") return null;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  if (list.items.length === 0) return null;
  return (
    <>
      <div className="admin-header">
        <h3>{title}</h3>
        {button}
      </div>
      <JobRows jobs={shown} act={act} />
      {hasMore && <LoadMore label={title} isPending={list.isLoadingMore} onClick={showMore} />}
    </>
  );
}

const nameOf = ({ kind, _id }: AdminJob) => ({ kind: featureName(kind), id: _id.slice(-6) });

function useJobAction(onChanged: () => void) {
  const [isPending, setPending] = useState(false);
  const run = useCallback(
    async (change: () => Promise<unknown>) => {
      setPending(true);
      try {
        await change();
        onChanged();
      } catch {
        notify({ type: "error", message: t("admin.change_failed") });
      }
      setPending(false);
    },
    [onChanged],
  );
  return { isPending, run };
}

interface JobAct {
  label: string;
  labelOf: (job: AdminJob) => string;
  isPending: boolean;
  onAct: (job: AdminJob) => void;
}

function JobRows({ jobs, act: { label, labelOf, isPending, onAct } }: { jobs: readonly AdminJob[]; act: JobAct }) {
  const now = useNow();
  return (
    <ul role="list" className="admin-rows">
      {jobs.map((job) => (
        <li key={job._id}>
          <div>
            <strong>
              {featureName(job.kind)} <code>{nameOf(job).id}</code>
            </strong>
            <p className="admin-quiet">
              {job.status === "failed" && job.endedAt !== null
                ? t("admin.job_ended", {
                    count: job.attempts,
                    when: formatRelativeDate(job.endedAt, now),
                    error: job.error ?? "–",
                  })
                : t("admin.job_created", { when: formatRelativeDate(job.createdAt, now) })}
            </p>
            {job.events > 0 && <JobSteps job={job} />}
          </div>
          <Button aria-label={labelOf(job)} pending={isPending} onClick={() => onAct(job)}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The steps that a job logged, loaded when the list is opened. */
function JobSteps({ job }: { job: AdminJob }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="admin-quiet" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={t("admin.job_steps_of", { ...nameOf(job), count: job.events })}>
        {t("admin.job_steps", { count: job.events })}
      </summary>
      {isOpen && <StepList id={job._id} />}
    </details>
  );
}

const timeFormat = new Intl.DateTimeFormat(documentLanguage(), { timeStyle: "medium" });

function StepList({ id }: { id: string }) {
  const read = useCallback(async () => (await adminClient.listJobSteps({ id })).steps, [id]);
  const { answer, retry } = useAsyncValue(read);
  if (answer.state === "loading") return <p>{t("common.loading")}</p>;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  return (
    <ol role="list">
      {answer.value.map(({ type, count, at }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps are only appended
        <li key={index}>
          {timeFormat.format(at)} <code>{type || "–"}</code> {count > 1 && `× ${formatNumber(count)}`}
        </li>
      ))}
    </ol>
  );
}
