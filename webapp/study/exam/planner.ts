import { type ExamOutcome, type ExamQuestion, planExam } from "#shared/study/exam-plan.ts";

/** Works out a plan beside the screen, so that nothing waits for it; here where the browser has no workers. */
export function planAside(question: ExamQuestion): Promise<ExamOutcome> {
  if (typeof Worker === "undefined") return Promise.resolve(planExam(question));
  const worker = new Worker(new URL("./plan-worker.ts", import.meta.url), { type: "module" });
  return new Promise<ExamOutcome>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<ExamOutcome>) => resolve(data), { once: true });
    worker.addEventListener("error", () => reject(new Error("The plan could not be worked out")), { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin to name
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}
