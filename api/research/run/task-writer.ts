import { Failure } from "#shared/contract/failure.ts";
import { depthLimits, modelFailureId, planTimeMs, writingTimeMs } from "#shared/research/rules.ts";
import type { EvidenceSentence } from "#shared/research/evidence/candidates.ts";
import { rankPassages } from "#shared/research/evidence/select-sentences.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type { CanvasSection, ResearchCitation } from "#shared/research/schema.ts";
import { researchWording } from "#shared/research/wording.ts";
import type { Model } from "#api/ai/port.ts";
import type { GatheredSources } from "./gathered-sources.ts";
import { planWithModel, writeFindings } from "./model-research.ts";
import type { ResearchJobInput } from "./run-input.ts";
import type { ResearchDraft } from "./run-state.ts";
import { withTimeLimit } from "./timed-model.ts";
import { writeModelSection, writeSection } from "./write-section.ts";

/** Maximum number of sentences selected for a question, before neighbours are added. */
export const MAX_SELECTED_SENTENCES = 5;

interface WriterDeps {
  draft: ResearchDraft;
  gathered: GatheredSources;
  input: ResearchJobInput;
  /** Undefined without a model that can chat. */
  model: Model | undefined;
  ownerId: string;
  now: () => number;
  signal: AbortSignal;
}

interface SectionText {
  citations: ResearchCitation[];
  texts: { text: string; source: number }[];
}

/**
 * Plans and writes with a model while it answers and its budget and time last; otherwise writes whole sentences of the sources.
 */
export class TaskWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** The model for a call of at most the given time; undefined if the run may not call it any more. */
  #modelFor(timeMs: number): Model | undefined {
    const { model, draft } = this.#deps;
    const { run, hasModelFailed } = draft.state;
    if (!model || hasModelFailed || timeMs <= 0 || run.tokens >= depthLimits[run.depth].tokens) return undefined;
    return withTimeLimit(model, timeMs);
  }

  #call(model: Model) {
    const { draft, ownerId, signal } = this.#deps;
    const { run } = draft.state;
    draft.state.run = { ...run, model: model.info.id };
    const onTokens = (tokens: number) => {
      draft.state.run = { ...draft.state.run, tokens: draft.state.run.tokens + tokens };
    };
    const hasBudget = () => draft.state.run.tokens < depthLimits[run.depth].tokens;
    return { model, language: draft.language, ownerId, signal, onTokens, hasBudget };
  }

  /** After a failure, the model is not called again in this run, and the remaining sections are quoted. */
  #handleFailure(error: unknown): void {
    const { draft, signal, now } = this.#deps;
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    draft.state.hasModelFailed = true;
    draft.addHistory({
      id: modelFailureId(draft.state.run.id),
      creator: "orchestrator",
      iteration: 0,
      task_id: null,
      content: researchWording[draft.language].modelFailed,
      created_at: now(),
    });
  }

  async plan(question: string): Promise<string[]> {
    const { draft, now } = this.#deps;
    const { run } = draft.state;
    const model = this.#modelFor(planTimeMs(run, now()));
    if (!model) return [];
    try {
      return await planWithModel(this.#call(model), question, {
        most: depthLimits[run.depth].tasks,
        askedAt: run.startedAt,
      });
    } catch (error) {
      this.#handleFailure(error);
      return [];
    }
  }

  async write(
    task: ResearchTask,
    section: CanvasSection,
    sentences: readonly EvidenceSentence[],
  ): Promise<SectionText> {
    const { draft, gathered, now } = this.#deps;
    const { run, tasks, task: done } = draft.state;
    const model = this.#modelFor(writingTimeMs(run, now(), tasks.length - done));
    const written = model && (await this.#writeWithModel(model, task, section));
    if (written) return written;
    return { citations: await writeSection(draft, gathered, section, sentences), texts: [...sentences] };
  }

  async #writeWithModel(model: Model, task: ResearchTask, section: CanvasSection): Promise<SectionText | undefined> {
    const { draft, gathered, input } = this.#deps;
    const { query, topic } = task;
    const found = await gathered.findEvidence(query, draft.state.pool);
    const used = new Set(draft.state.citations.map(({ quote }) => quote));
    const evidence = rankPassages(found, { query, topic, language: draft.language, used });
    try {
      const { findings, unsupported } = await writeFindings(this.#call(model), task.query, {
        evidence,
        most: MAX_SELECTED_SENTENCES,
      });
      draft.state.run = { ...draft.state.run, leftOut: draft.state.run.leftOut + unsupported.length };
      const shown = { findings, unsupported: input.isStrict ? [] : unsupported };
      // If no sentence of the model is supported, the section is quoted from the sources.
      if (findings.length === 0 && shown.unsupported.length === 0) return undefined;
      if (findings.length > 0) draft.state.writtenByModel = [...(draft.state.writtenByModel ?? []), section.id];
      return { citations: await writeModelSection(draft, gathered, section, shown), texts: findings };
    } catch (error) {
      this.#handleFailure(error);
      return undefined;
    }
  }
}
