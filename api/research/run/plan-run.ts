import { decomposeQuestion, type ResearchTask } from "#shared/research/plan/decompose.ts";
import { titleOf } from "#shared/research/plan/title.ts";
import { depthLimits } from "#shared/research/rules.ts";
import type { CanvasSection } from "#shared/research/schema.ts";
import { researchWording } from "#shared/research/wording.ts";
import type { ResearchDraft } from "./run-state.ts";

/** The tasks of a run: planned by the model, otherwise derived from the question. */
function planTasks(draft: ResearchDraft, question: string, planned: readonly string[]): ResearchTask[] {
  const most = depthLimits[draft.state.run.depth].tasks;
  const { headings } = researchWording[draft.language];
  const tasks: ResearchTask[] =
    planned.length > 0
      ? planned.slice(0, most).map((line, index) => ({ id: `t${index + 1}`, heading: line, topic: null, query: line }))
      : decomposeQuestion(question, most, headings);
  const prefix = `r${draft.state.history.filter(({ creator }) => creator === "user").length}`;
  return tasks.map((task) => ({ ...task, id: `${prefix}${task.id}` }));
}

/** Splits the question and outlines the canvas. */
export function planRun(
  draft: ResearchDraft,
  { question, planned, now }: { question: string; planned: readonly string[]; now: number },
): void {
  const { run } = draft.state;
  // The request stores the question, unless it was interrupted; the ids of the tasks count it.
  draft.addHistory({
    id: run.id,
    creator: "user",
    iteration: 0,
    task_id: null,
    content: question,
    created_at: run.startedAt,
  });
  const tasks = planTasks(draft, question, planned);
  const sections = tasks.map(({ id, heading, topic }): CanvasSection => ({
    id,
    heading,
    topic,
    status: "waiting",
    paragraphs: [],
    disagreements: [],
  }));
  const title = draft.state.title || titleOf(question);
  const list = tasks.map(({ heading }) => `- ${heading}`).join("\n");
  Object.assign(draft.state, { tasks, title, phase: "search", sections: [...draft.state.sections, ...sections] });
  draft.addEvent({ type: "title_update", title });
  draft.addHistory({
    id: `${run.id}.plan`,
    creator: "orchestrator",
    iteration: 0,
    task_id: null,
    content: `${researchWording[draft.language].planned(tasks.length)}:\n${list}`,
    created_at: now,
  });
  draft.putFile("plan.md", `# ${title}\n\n${list}\n`, now);
  draft.updateCanvas(null, []);
}
