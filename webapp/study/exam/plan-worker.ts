import { type ExamQuestion, planExam } from "#shared/study/exam-plan.ts";

addEventListener("message", ({ data }: MessageEvent<ExamQuestion>) => {
  // A worker's port has no origin to name.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  postMessage(planExam(data));
});
