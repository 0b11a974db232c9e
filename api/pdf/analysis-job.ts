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
  key: string;
  fileId: string;
  model: string;
}

/** Everything found so far. */
type Checkpoint = StoredAnalysis;

/** A document of few parts gets more key points per part. */
const SHORT_DOCUMENT_PARTS = 2;
const SHORT_DOCUMENT_KEYS = 3;

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
  readonly #found: Checkpoint;

  constructor(deps: Deps, run: JobRun, read: ReadPages) {
    this.#deps = deps;
    this.#read = read;
    this.#run = run;
    this.#own = ownedBy(deps.store, run.job.ownerId);
    this.#input = run.job.input as AnalysisInput;
    this.#found = (run.job.checkpoint as Checkpoint | null) ?? { parts: [], notices: [] };
  }

  async work(): Promise<void> {
    const model = await this.#deps.models.choose(this.#input.model);
    if (!model) throw new Failure("model_unavailable", "model_gone");
    let total = 1;
    for (let index = this.#found.parts.length; index < total; index += 1) {
      this.#run.signal.throwIfAborted();
      const [from, to] = [index * PAGES_PER_PART + 1, (index + 1) * PAGES_PER_PART];
      const { pageCount, passages } = await this.#read(this.#own, this.#input.fileId, { from, to });
      total = Math.max(1, Math.ceil(pageCount / PAGES_PER_PART));
      if (index === 0) await this.#run.emit([{ type: "progress", done: 0, total }]);
      const keyCount = total <= SHORT_DOCUMENT_PARTS ? SHORT_DOCUMENT_KEYS : 1;
      const statements = await this.#findStatements(model, passages, keyCount);
      await this.#emitPart({ firstPage: from, lastPage: Math.min(to, Math.max(from, pageCount)), statements }, total);
    }
    if (this.#found.parts.every(({ statements }) => statements.length === 0))
      throw new Failure("bad_input", "too_little_text");
    await saveAnalysis(this.#own, this.#input.key, this.#run.job._id, this.#found);
    await this.#run.emit([{ type: "end" }], this.#found);
  }

  async #findStatements(model: Model, passages: readonly Passage[], keyCount: number): Promise<StoredStatement[]> {
    const { language, instructions } = this.#input;
    const { signal, job } = this.#run;
    const request = { passages, options: { language, instructions }, keyCount, ownerId: job.ownerId, signal };
    if (model.chat) {
      const found = await writeStatements(model, request);
      if (found.length > 0) return found;
    }
    const own = quotedStatements(request);
    if (own.length > 0 && model.chat) await this.#notice("model_gave_nothing");
    if (own.length > 0 && !model.chat && isTranslation(passages, language)) await this.#notice("not_translated");
    return own;
  }

  async #notice(notice: AnalysisNotice): Promise<void> {
    if (this.#found.notices.includes(notice)) return;
    this.#found.notices.push(notice);
    await this.#run.emit([{ type: "notice", notice }], this.#found);
  }

  async #emitPart(part: Checkpoint["parts"][number], total: number): Promise<void> {
    this.#found.parts.push(part);
    const done = this.#found.parts.length;
    await this.#run.emit(
      [
        { type: "part", part },
        { type: "progress", done, total },
      ],
      this.#found,
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
