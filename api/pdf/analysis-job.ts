import { Failure } from "#shared/contract/failure.ts";
import { type AnalysisNotice, PAGES_PER_PART } from "#shared/pdf/analysis.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { isTranslation } from "#api/ai/openai/hosted-gates.ts";
import type { Model } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { type StoredAnalysis, saveAnalysis } from "./analysis-store.ts";
import { type StoredStatement, writeStatements, quotedStatements, type SummaryOptions } from "./statements.ts";

export const ANALYSIS_JOB = "pdf_analysis";

/** The input stored with an analysis job. */
export interface AnalysisInput extends SummaryOptions {
  /** The id of the stored analysis. */
  key: string;
  fileId: string;
  model: string;
}

/** Everything written so far. */
type Checkpoint = StoredAnalysis;

/** A document of few parts gets more key points per part. */
const SHORT_DOCUMENT_PARTS = 2;
const KEY_POINTS_OF_SHORT_DOCUMENT = 3;

/** Reads some pages of a file. */
export type ReadPages = (
  own: Own,
  fileId: string,
  pages: { from: number; to: number },
) => Promise<{ pageCount: number; passages: Passage[] }>;

class AnalysisRun {
  readonly #deps: Deps;
  readonly #read: ReadPages;
  readonly #run: JobRun;
  readonly #own: Own;
  readonly #input: AnalysisInput;
  readonly #checkpoint: Checkpoint;

  constructor(deps: Deps, run: JobRun, read: ReadPages) {
    this.#deps = deps;
    this.#read = read;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as AnalysisInput;
    this.#checkpoint = (run.job.checkpoint as Checkpoint | null) ?? { parts: [], notices: [] };
  }

  async work(): Promise<void> {
    const model = await this.#deps.models.choose(this.#input.model);
    if (!model) throw new Failure("model_unavailable", "model_gone");
    // Unknown until the first part was read.
    let total = 1;
    for (let index = this.#checkpoint.parts.length; index < total; index += 1) {
      this.#run.signal.throwIfAborted();
      const [from, to] = [index * PAGES_PER_PART + 1, (index + 1) * PAGES_PER_PART];
      const { pageCount, passages } = await this.#read(this.#own, this.#input.fileId, { from, to });
      total = Math.max(1, Math.ceil(pageCount / PAGES_PER_PART));
      if (index === 0) await this.#run.emit([{ type: "progress", done: 0, total }]);
      const keyPointCount = total <= SHORT_DOCUMENT_PARTS ? KEY_POINTS_OF_SHORT_DOCUMENT : 1;
      const statements = await this.#findStatements(model, passages, keyPointCount);
      await this.#emitPart({ firstPage: from, lastPage: Math.min(to, Math.max(from, pageCount)), statements }, total);
    }
    if (this.#checkpoint.parts.every(({ statements }) => statements.length === 0))
      throw new Failure("bad_input", "too_little_text");
    await saveAnalysis(this.#own, this.#input.key, this.#run.job._id, this.#checkpoint);
    await this.#run.emit([{ type: "end" }], this.#checkpoint);
  }

  async #findStatements(model: Model, passages: readonly Passage[], keyPointCount: number): Promise<StoredStatement[]> {
    const { language, instructions } = this.#input;
    const { signal, job } = this.#run;
    const request = { passages, options: { language, instructions }, keyPointCount, ownerId: job.ownerId, signal };
    if (model.chat) {
      const found = await writeStatements(model, request);
      if (found.length > 0) return found;
    }
    const quoted = quotedStatements(request);
    if (quoted.length > 0 && model.chat) await this.#notice("model_gave_nothing");
    if (quoted.length > 0 && !model.chat && isTranslation(passages, language)) await this.#notice("not_translated");
    return quoted;
  }

  async #notice(notice: AnalysisNotice): Promise<void> {
    if (this.#checkpoint.notices.includes(notice)) return;
    this.#checkpoint.notices.push(notice);
    await this.#run.emit([{ type: "notice", notice }], this.#checkpoint);
  }

  async #emitPart(part: Checkpoint["parts"][number], total: number): Promise<void> {
    this.#checkpoint.parts.push(part);
    const done = this.#checkpoint.parts.length;
    await this.#run.emit(
      [
        { type: "part", part },
        { type: "progress", done, total },
      ],
      this.#checkpoint,
    );
  }
}

/** Summarises a document part by part; a resumed run continues after the last reported part. */
export async function runAnalysis(deps: Deps, run: JobRun, read: ReadPages): Promise<void> {
  try {
    await new AnalysisRun(deps, run, read).work();
  } catch (error) {
    run.signal.throwIfAborted();
    const failure = error instanceof Failure ? error : new Failure("broken", "server_broken");
    await run.emit([{ type: "error", ...failure.toEventFields() }]);
    throw error;
  }
}
