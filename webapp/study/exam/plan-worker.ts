import { type ExamPlanInput, planExam } from "#shared/study/exam/plan.ts";

addEventListener("message", ({ data }: MessageEvent<ExamPlanInput>) => {
  // `postMessage` in a worker takes no target origin.
  postMessage(planExam(data));
});
