import type { Jobs } from "#api/jobs/jobs-port.ts";

/** The next job is not enqueued, as if the process ended just before. */
export function failEnqueueing(jobs: Jobs): void {
  const enqueue = jobs.enqueue.bind(jobs);
  jobs.enqueue = () => {
    jobs.enqueue = enqueue;
    return Promise.reject(new Error("the process ended"));
  };
}
