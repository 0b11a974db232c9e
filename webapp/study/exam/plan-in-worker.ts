import { type ExamOutcome, type ExamPlanInput, planExam } from "#shared/study/exam/plan.ts";

/** Computes a plan in a worker, so that the screen stays responsive; on the main thread if workers are unsupported. */
export function planInWorker(question: ExamPlanInput): Promise<ExamOutcome> {
  if (typeof Worker === "undefined") return Promise.resolve(planExam(question));
  const worker = new Worker(new URL("./plan-worker.ts", import.meta.url), { type: "module" });
  return new Promise<ExamOutcome>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<ExamOutcome>) => resolve(data), { once: true });
    worker.addEventListener("error", () => reject(new Error("The plan could not be computed")), { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin to name
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}
