import { useCallback, useState } from "react";
import type { AdminJob, JobCounts } from "#shared/admin/instance-contract.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { LoadError } from "../admin-frame.tsx";

const SECOND_MS = 1000;
const formatDuration = (ms: number | null) => (ms === null ? "–" : `${formatNumber(ms / SECOND_MS, 1)} s`);

export function JobCountsTable({ kinds }: { kinds: readonly JobCounts[] }) {
  const now = useNow();
  return (
    <div className="admin-table-frame" role="group" tabIndex={0} aria-label={t("admin.jobs")}>
      <table className="admin-table admin-numbers">
        <thead>
          <tr>
            <th scope="col">{t("admin.job_kind")}</th>
            <th scope="col">{t("admin.job_waiting")}</th>
            <th scope="col">{t("admin.job_running")}</th>
            <th scope="col">{t("admin.job_failed")}</th>
            <th scope="col">{t("admin.job_oldest")}</th>
            <th scope="col">{t("admin.job_p95")}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, waiting, running, failed, oldestWaitingAt, p95Ms }) => (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              <td>{formatNumber(waiting)}</td>
              <td>{formatNumber(running)}</td>
              <td className={failed > 0 ? "admin-bad" : undefined}>{formatNumber(failed)}</td>
              <td>{oldestWaitingAt === null ? "–" : formatRelativeDate(oldestWaitingAt, now)}</td>
              <td>{formatDuration(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function readJobs() {
  const [failed, running, waiting] = await Promise.all(
    (["failed", "running", "waiting"] as const).map((status) => adminClient.listJobs({ status })),
  );
  return { failed: failed?.jobs ?? [], open: [...(running?.jobs ?? []), ...(waiting?.jobs ?? [])] };
}

/** The newest failed, running and waiting jobs, with what can be done about them. */
export function JobLists({ failed, onChanged }: { failed: number; onChanged: () => void }) {
  const { answer, retry } = useAsyncValue(readJobs);
  const act = useJobAction(onChanged);
  if (answer.state === "loading") return null;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  const { failed: failedJobs, open } = answer.value;
  const retryAll = () =>
    act.run(async () => {
      const { retried } = await adminClient.retryFailedJobs({});
      notify({ type: "success", message: t("admin.retried", { count: retried }) });
    });
  return (
    <>
      {failedJobs.length > 0 && (
        <>
          <div className="admin-header">
            <h3>{t("admin.failed_jobs")}</h3>
            {failed > 1 && (
              <Button pending={act.isPending} onClick={() => void retryAll()}>
                {t("admin.retry_all")}
              </Button>
            )}
          </div>
          <JobRows
            jobs={failedJobs}
            label={t("admin.retry")}
            labelOf={(job) => t("admin.retry_of", nameOf(job))}
            isPending={act.isPending}
            onAct={({ _id: id }) => void act.run(() => adminClient.retryJob({ id }))}
          />
        </>
      )}
      {open.length > 0 && (
        <>
          <h3>{t("admin.open_jobs")}</h3>
          <JobRows
            jobs={open}
            label={t("common.cancel")}
            labelOf={(job) => t("admin.cancel_of", nameOf(job))}
            isPending={act.isPending}
            onAct={({ _id: id }) => void act.run(() => adminClient.cancelJob({ id }))}
          />
        </>
      )}
    </>
  );
}

const nameOf = ({ kind, _id }: AdminJob) => ({ kind, id: _id.slice(-6) });

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

interface RowsProps {
  jobs: readonly AdminJob[];
  label: string;
  labelOf: (job: AdminJob) => string;
  isPending: boolean;
  onAct: (job: AdminJob) => void;
}

function JobRows({ jobs, label, labelOf, isPending, onAct }: RowsProps) {
  const now = useNow();
  return (
    <ul role="list" className="admin-rows">
      {jobs.map((job) => (
        <li key={job._id}>
          <div>
            <strong>
              {job.kind} <code>{nameOf(job).id}</code>
            </strong>
            <p className="admin-quiet">
              {job.status === "failed" && job.endedAt !== null
                ? t("admin.job_ended", { when: formatRelativeDate(job.endedAt, now), error: job.error ?? "–" })
                : t("admin.job_created", { when: formatRelativeDate(job.createdAt, now) })}
            </p>
          </div>
          <Button aria-label={labelOf(job)} pending={isPending} onClick={() => onAct(job)}>
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}
