import { type ExamQuestion, planExam } from "#shared/study/exam-plan.ts";

addEventListener("message", ({ data }: MessageEvent<ExamQuestion>) => {
  // `postMessage` in a worker takes no target origin.
  postMessage(planExam(data));
});
