import { formatCanvas, sentencesOf } from "#shared/research/canvas.ts";
import type { Language } from "#shared/messages/language.ts";
import type { ResearchTask } from "#shared/research/plan/decompose.ts";
import type {
  CanvasSection,
  LedgerSource,
  ResearchCitation,
  ResearchEvent,
  ResearchFile,
  ResearchHistoryEntry,
  ResearchRunState,
  ResearchTool,
} from "#shared/research/schema.ts";
import type { SearchHit } from "../search/port.ts";
import type { ContentDoc } from "../store.ts";

/** A passage that was found for the current task. */
export interface PooledPassage {
  source: number;
  passageId: string;
  score: number;
}

/**
 * Query expansion for a second round of searching: terms from all sources, and terms from sources outside the library.
 */
export interface LearnedTerms {
  all: string[];
  outside: string[];
}

/** Everything that a run needs to resume; stored as the job's checkpoint. */
export interface RunCheckpoint {
  phase: "plan" | "search" | "complete" | "compare" | "check" | "end";
  /** Index of the current task, and its round of searching. */
  task: number;
  round: number;
  tasks: ResearchTask[];
  pool: PooledPassage[];
  /** Terms that the current round adds to its query; none in the first round. */
  learned?: LearnedTerms | null;
  /** The current search with its remaining results, so that a resumed run does not search again. */
  search?: { toolId: string; hits: SearchHit[]; opened: number; mostPages?: number } | null;
  /** Sources that were read before the current task. */
  pagesBefore?: number | null;
  /** Queries that were sent, over all tasks. */
  queries: number;
  /** True once the model has failed: the remaining sections are quoted from the sources. */
  hasModelFailed: boolean;
  /** Ids of the sections with verified sentences of the model; missing in checkpoints of earlier versions. */
  writtenByModel?: string[];
  title: string;
  run: ResearchRunState;
  /** Ledger number of each source by its key. */
  keys: Record<string, number>;
  history: ResearchHistoryEntry[];
  canvasVersion: number;
  sections: CanvasSection[];
  citations: ResearchCitation[];
  sources: LedgerSource[];
  files: ResearchFile[];
  tools: ResearchTool[];
}

/** An event without its number, which it gets when it is stored. */
export type NewResearchEvent = ResearchEvent extends infer E
  ? E extends ResearchEvent
    ? Omit<E, "seq">
    : never
  : never;

/** The state of a run, with the events that its changes cause. */
export class ResearchDraft {
  state: RunCheckpoint;
  readonly language: Language;
  #events: NewResearchEvent[] = [];

  constructor(state: RunCheckpoint, language: Language) {
    this.state = state;
    this.language = language;
  }

  /** The events since the last call. */
  takeEvents(): NewResearchEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  addEvent(event: NewResearchEvent): void {
    this.#events.push(event);
  }

  addHistory(entry: ResearchHistoryEntry): void {
    if (this.state.history.some(({ id }) => id === entry.id)) return;
    this.state.history = [...this.state.history, entry];
    this.addEvent({ type: "history", entry });
  }

  /** Adds a tool call, or replaces the one with the same id. */
  putTool(tool: ResearchTool, sources: readonly LedgerSource[] = []): void {
    this.state.tools = [...this.state.tools.filter(({ id }) => id !== tool.id), tool];
    this.addEvent({ type: "tool_instance", tool, sources: [...sources], run: this.state.run });
  }

  putSource(source: LedgerSource): void {
    this.state.sources = [...this.state.sources.filter(({ n }) => n !== source.n), source].toSorted(
      (a, b) => a.n - b.n,
    );
  }

  putSection(section: CanvasSection): void {
    this.state.sections = this.state.sections.map((other) => (other.id === section.id ? section : other));
  }

  /** Adds a citation; the same quote of the same source keeps its number. */
  cite(citation: Omit<ResearchCitation, "n">): number {
    const existing = this.state.citations.find(
      ({ source, passageId, quote }) =>
        source === citation.source && passageId === citation.passageId && quote === citation.quote,
    );
    if (existing) return existing.n;
    // A copy of a shared session lacks some numbers.
    const n = Math.max(0, ...this.state.citations.map((other) => other.n)) + 1;
    this.state.citations = [...this.state.citations, { n, ...citation }];
    return n;
  }

  /** Announces that a section changed, or the whole canvas. */
  updateCanvas(sectionId: string | null, citations: readonly ResearchCitation[]): void {
    this.state.canvasVersion += 1;
    const { sections, canvasVersion, sources } = this.state;
    this.addEvent({
      type: "canvas_update",
      section: sectionId,
      text: this.canvas,
      version: canvasVersion,
      sections: sectionId === null ? sections : sections.filter(({ id }) => id === sectionId),
      citations: [...citations],
      sources,
    });
  }

  putFile(name: string, content: string, now: number): void {
    const existing = this.state.files.find((file) => file.name === name);
    const createdAt = existing?.createdAt ?? now;
    this.state.files = [
      ...this.state.files.filter((file) => file.name !== name),
      { name, createdAt, updatedAt: now, content },
    ];
    this.addEvent({ type: "file_update", action: existing ? "write" : "create", name, content, at: now });
  }

  get canvas(): string {
    return formatCanvas(this.state.sections, this.language);
  }

  get verifiedCount(): number {
    return sentencesOf(this.ownSections).filter(({ isSupported }) => isSupported).length;
  }

  /** The sections of this run, without those of earlier questions. */
  get ownSections(): CanvasSection[] {
    const ids = new Set(this.state.tasks.map(({ id }) => id));
    return this.state.sections.filter(({ id }) => ids.has(id));
  }

  /** The fields of this state that are stored in the session's document. */
  get contents(): Partial<ContentDoc> {
    const { history, canvasVersion, sections, citations, sources, files, tools } = this.state;
    return {
      history,
      canvas: this.canvas,
      canvas_version: canvasVersion,
      sections,
      citations,
      sources,
      files,
      tool_instances: tools,
    };
  }
}
