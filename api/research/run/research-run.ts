import { Failure } from "#shared/contract/failure.ts";
import { countIndependent, depthLimits, maySearch, snippetOf } from "#shared/research/rules.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import type { ResearchTool } from "#shared/research/schema.ts";
import { researchWording } from "#shared/research/wording.ts";
import type { Model } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { finishResearchRun } from "../finish-run.ts";
import {
  findResearchContent,
  findResearchSession,
  listSnapshotKeys,
  nameResearchSession,
  patchResearchContent,
  patchResearchRun,
} from "../store.ts";
import { gatherPassages } from "./gather.ts";
import { GatheredSources } from "./gathered-sources.ts";
import { createInitialCheckpoint } from "./initial-checkpoint.ts";
import type { ResearchJobInput } from "./run-input.ts";
import { ResearchDraft, type RunCheckpoint } from "./run-state.ts";
import { planRun } from "./plan-run.ts";
import { completeSections, learnForTask, selectForTask } from "./task-evidence.ts";
import { TaskWriter } from "./task-writer.ts";
import { verifyCanvas, writeDisagreements } from "./write-section.ts";

/** With fewer sentences, another round of searching is started. */
const FEW_SENTENCES = 3;

/** One run of a research job, from its checkpoint to its end. Each step ends in a checkpoint. */
class ResearchRun {
  readonly #deps: Deps;
  readonly #run: JobRun;
  readonly #own: Own;
  readonly #input: ResearchJobInput;
  readonly #draft: ResearchDraft;
  readonly #gathered: GatheredSources;
  readonly #writer: TaskWriter;
  #isTitled = false;

  constructor(deps: Deps, run: JobRun, { checkpoint, model }: { checkpoint: RunCheckpoint; model: Model | undefined }) {
    this.#deps = deps;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as ResearchJobInput;
    this.#draft = new ResearchDraft(checkpoint, this.#input.language);
    this.#gathered = new GatheredSources(this.#own, this.#input.sessionId, this.#draft);
    this.#writer = new TaskWriter({
      draft: this.#draft,
      gathered: this.#gathered,
      input: this.#input,
      model,
      ownerId: run.job.ownerId,
      now: () => deps.clock.now(),
      signal: run.signal,
    });
  }

  get #now(): number {
    return this.#deps.clock.now();
  }

  get #state(): RunCheckpoint {
    return this.#draft.state;
  }

  async work(): Promise<void> {
    while (this.#state.phase !== "end") {
      this.#run.signal.throwIfAborted();
      await this.#step();
      await this.#commit();
    }
    await this.#finish();
  }

  #step(): Promise<void> | void {
    switch (this.#state.phase) {
      case "plan":
        return this.#plan();
      case "search":
        return this.#search();
      case "complete":
        return this.#complete();
      case "compare":
        return this.#compare();
      case "check":
        return this.#check();
      case "end":
        return undefined;
      default:
        return this.#state.phase satisfies never;
    }
  }

  /** Stores the events since the last step with the checkpoint, then updates the session for the student. */
  async #commit(): Promise<void> {
    await this.#run.emit(this.#draft.takeEvents(), this.#state);
    const { sessionId, runId } = this.#input;
    await patchResearchContent(this.#own, sessionId, this.#draft.contents);
    const run = { ...this.#state.run, seq: this.#run.job.lastSeq };
    const snippet = snippetOf(this.#draft.canvas);
    await patchResearchRun(this.#own, sessionId, runId, { run, snippet });
    await this.#saveTitle();
  }

  /** Saves the title of the plan, once. A title that the student gave stays. */
  async #saveTitle(): Promise<void> {
    const { title } = this.#state;
    if (title === "" || this.#isTitled) return;
    await nameResearchSession(this.#own, this.#input.sessionId, title);
    this.#isTitled = true;
  }

  async #plan(): Promise<void> {
    const { question, sessionId } = this.#input;
    const planned = await this.#writer.plan(question);
    // The student may have given the session a title while a model was planning.
    const session = await findResearchSession(this.#own, sessionId);
    this.#state.title = session?.conversation_title ?? this.#state.title;
    planRun(this.#draft, { question, planned, now: this.#now });
  }

  async #search(): Promise<void> {
    const task = this.#state.tasks[this.#state.task];
    const section = task && this.#state.sections.find(({ id }) => id === task.id);
    if (!task || !section) {
      Object.assign(this.#state, { phase: "complete", run: { ...this.#state.run, currentTask: null } });
      this.#draft.addEvent({ type: "current_task_id", task_id: null });
      return;
    }
    this.#state.pagesBefore ??= this.#state.run.pagesRead;
    if (this.#state.round === 0) {
      this.#state.run = { ...this.#state.run, currentTask: task.id };
      this.#draft.addEvent({ type: "current_task_id", task_id: task.id });
      this.#draft.putSection({ ...section, status: "searching" });
    }
    const learned = (this.#state.learned ??= { all: [], outside: [] });
    await gatherPassages({
      deps: this.#deps,
      own: this.#own,
      draft: this.#draft,
      gathered: this.#gathered,
      input: this.#input,
      task,
      expansionTerms: learned.all,
      outsideExpansionTerms: learned.outside,
      saveProgress: () => this.#commit(),
      signal: this.#run.signal,
    });
    const sentences = await selectForTask(this.#draft, this.#gathered, task, { pool: this.#state.pool });
    if (this.#shouldRepeat(task, sentences.length)) {
      const next = await learnForTask(this.#draft, this.#gathered, task);
      // The same terms would find the same passages.
      if (next.all.join(" ") !== learned.all.join(" ")) {
        Object.assign(this.#state, { round: this.#state.round + 1, learned: next });
        return;
      }
    }
    await this.#write(sentences);
  }

  /** Whether another round may find more. Under our own headings, nothing found means that there is nothing to add. */
  #shouldRepeat({ topic }: ResearchTask, found: number): boolean {
    const { round, run } = this.#state;
    const isLow = topic === null ? found < FEW_SENTENCES : found > 0 && found < FEW_SENTENCES && topic !== "more";
    return isLow && round + 1 < depthLimits[run.depth].rounds && maySearch(run, this.#now);
  }

  async #write(sentences: readonly EvidenceSentence[]): Promise<void> {
    const { run, tasks, task: taskIndex } = this.#state;
    const task = tasks[taskIndex];
    const section = this.#state.sections.find(({ id }) => id === task?.id);
    if (!task || !section) return;
    const { citations, texts } = await this.#writer.write(task, section, sentences);
    const sources = new Set(texts.map(({ source }) => source));
    const content = researchWording[this.#draft.language].findings(texts.length, sources.size);
    this.#draft.addHistory({
      id: `${run.id}.${task.id}`,
      creator: "developer",
      iteration: this.#state.round + 1,
      task_id: task.id,
      content,
      created_at: this.#now,
    });
    const notes = texts.map(({ text, source }) => `- ${text} [${source}]`).join("\n");
    this.#draft.putFile(`notes/${task.id}.md`, `# ${task.heading}\n\n${notes || content}\n`, this.#now);
    this.#draft.updateCanvas(task.id, citations);
    Object.assign(this.#state, { task: taskIndex + 1, round: 0, pool: [], learned: null, pagesBefore: null });
  }

  async #complete(): Promise<void> {
    await completeSections(this.#draft, this.#gathered);
    this.#draft.updateCanvas(null, this.#state.citations);
    this.#state.phase = "compare";
  }

  async #compare(): Promise<void> {
    const startedAt = this.#now;
    const before = this.#state.citations.length;
    const found = await writeDisagreements(this.#draft, this.#gathered);
    this.#draft.putTool(
      this.#finishedTool("compare", { found, startedAt, summary: `${found} disagreements between sources` }),
    );
    if (found > 0) {
      const lines = this.#draft.ownSections.flatMap(({ disagreements }) =>
        disagreements.map(({ about, sides }) => `## ${about}\n\n${sides.map(({ text }) => `- ${text}`).join("\n")}\n`),
      );
      this.#draft.putFile("contradictions.md", lines.join("\n"), this.#now);
    }
    this.#draft.updateCanvas(null, this.#state.citations.slice(before));
    this.#state.phase = "check";
  }

  async #check(): Promise<void> {
    const startedAt = this.#now;
    const { verified, leftOut } = await verifyCanvas(this.#draft, this.#gathered, this.#input.isStrict);
    this.#state.run = { ...this.#state.run, verified, leftOut: this.#state.run.leftOut + leftOut };
    this.#draft.putTool(
      this.#finishedTool("verify", { found: verified, startedAt, summary: `${verified} sentences verified` }),
    );
    this.#draft.updateCanvas(null, []);
    const ledger = JSON.stringify(this.#state.sources, null, 2);
    this.#draft.putFile("ledger.json", ledger, this.#now);
    this.#state.phase = "end";
  }

  #finishedTool(
    name: ResearchTool["name"],
    { found, summary, startedAt }: { found: number; summary: string; startedAt: number },
  ): ResearchTool {
    return {
      id: `${this.#state.run.id}.${name}`,
      task_id: null,
      name,
      args: {},
      status: "done",
      summary,
      found,
      problem: null,
      sources: [],
      started_at: startedAt,
      ended_at: this.#now,
    };
  }

  async #finish(): Promise<void> {
    const { run, sources } = this.#state;
    const { final, nothing } = researchWording[this.#draft.language];
    const text = run.verified > 0 ? final(run.verified, countIndependent(sources)) : nothing;
    this.#state.run = { ...run, status: "done", endedAt: run.endedAt ?? this.#now, currentTask: null };
    await patchResearchContent(this.#own, this.#input.sessionId, this.#draft.contents);
    await finishResearchRun(this.#own, this.#input, this.#state.run);
    await this.#run.emit(
      [
        { type: "assistant_message_chunk", text },
        {
          type: "assistant_message_final",
          text,
          sources: countIndependent(sources),
          verified: run.verified,
          leftOut: run.leftOut,
          tokens: run.tokens,
          run: this.#state.run,
        },
      ],
      this.#state,
    );
  }
}

/** Works on a research job; a failure or a cancel leaves the canvas as it was at the last checkpoint. */
export async function workOnResearch(deps: Deps, run: JobRun): Promise<void> {
  const own = ownedBy(deps.store, run.job.ownerId);
  const input = run.job.input as ResearchJobInput;
  const [session, content] = await Promise.all([
    findResearchSession(own, input.sessionId),
    findResearchContent(own, input.sessionId),
  ]);
  if (!session || !content || session.run.id !== input.runId) return;
  const keys = await listSnapshotKeys(own, input.sessionId);
  const checkpoint =
    (run.job.checkpoint as RunCheckpoint | null) ??
    createInitialCheckpoint(session, content, { runId: input.runId, keys });
  try {
    const chosen = await deps.models.choose(input.model ?? undefined);
    const model = chosen?.chat ? chosen : undefined;
    await new ResearchRun(deps, run, { checkpoint: structuredClone(checkpoint), model }).work();
  } catch (error) {
    await endInterrupted(deps, run, error);
  }
}

async function endInterrupted(deps: Deps, run: JobRun, error: unknown): Promise<void> {
  const { ownerId, _id } = run.job;
  const own = ownedBy(deps.store, ownerId);
  const input = run.job.input as ResearchJobInput;
  const session = await findResearchSession(own, input.sessionId);
  if (!session) return;
  const endedAt = deps.clock.now();
  if (run.signal.aborted) {
    const isCancelled = (await deps.jobs.get(ownerId, _id))?.status === "cancelled";
    // A run that was only interrupted resumes from its checkpoint.
    if (isCancelled)
      await finishResearchRun(own, input, { ...session.run, status: "stopped", endedAt, currentTask: null });
    return;
  }
  deps.log.error({ err: error, jobId: _id }, "a research run broke");
  const failure = error instanceof Failure ? error : new Failure("broken", "research_failed");
  await finishResearchRun(own, input, {
    ...session.run,
    status: "failed",
    endedAt,
    currentTask: null,
    error: failure.message,
    errorReason: failure.ref(),
  });
  await run.emit([{ type: "error", ...failure.toEventFields() }]);
  throw failure;
}
