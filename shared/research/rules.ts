import type { LedgerSource, ResearchDepth, ResearchRunState, ResearchSession, SearchLimit } from "./schema.ts";

interface DepthLimits {
  rounds: number;
  /** Maximum number of queries to each kind of source. */
  queries: number;
  /** Maximum number of sources outside the library. */
  pages: number;
  /** Results considered per query, and how many of them are opened. */
  hits: number;
  opened: number;
  tokens: number;
  minutes: number;
  /** Maximum number of sub-questions of the student's question; standard headings are added to them. */
  tasks: number;
}

export const depthLimits: Readonly<Record<ResearchDepth, DepthLimits>> = {
  quick: { rounds: 1, queries: 4, pages: 6, hits: 16, opened: 3, tokens: 40_000, minutes: 2, tasks: 3 },
  standard: { rounds: 2, queries: 10, pages: 16, hits: 16, opened: 4, tokens: 150_000, minutes: 6, tasks: 5 },
  deep: { rounds: 4, queries: 24, pages: 40, hits: 20, opened: 6, tokens: 500_000, minutes: 12, tasks: 7 },
};

/** No new search starts after this share of a limit, so that there is time to write and verify. */
const SEARCH_SHARE = 0.7;
/** The share of the time in which a model may plan, and the share after which no model is called. */
const MODEL_PLAN_SHARE = 0.15;
const MODEL_SHARE = 0.9;
const SNIPPET_CHARS = 200;
/** The client stops following after this time; the run continues on the server. */
export const RESEARCH_ABORT_MS = 12 * 60_000;

/** The widths of the canvas that its control offers. */
export const canvasWidthsPx = { normal: 800, wide: 1200 };
export const isWideCanvas = (widthPx: number) => widthPx > canvasWidthsPx.normal;

type Spent = Pick<ResearchRunState, "depth" | "startedAt" | "pagesRead" | "tokens">;

/** The limit that stops a run from searching; undefined if time, pages and tokens are below their soft caps. */
export function reachedLimit(run: Spent, now: number): SearchLimit | undefined {
  const limits = depthLimits[run.depth];
  if (run.pagesRead >= limits.pages) return "sources";
  if (now - run.startedAt >= limits.minutes * 60_000 * SEARCH_SHARE) return "time";
  return run.tokens >= limits.tokens * SEARCH_SHARE ? "tokens" : undefined;
}

/** Whether a run may still search. */
export const maySearch = (run: Spent, now: number): boolean => reachedLimit(run, now) === undefined;

/** The time after which a run stops searching, epoch ms. */
export const searchesUntil = ({ depth, startedAt }: Pick<ResearchRunState, "depth" | "startedAt">) =>
  startedAt + depthLimits[depth].minutes * 60_000 * SEARCH_SHARE;

type Started = Pick<ResearchRunState, "depth" | "startedAt">;

/** The remaining time for a model, which leaves time for quoting if the model gives nothing. */
const modelTimeLeftMs = ({ depth, startedAt }: Started, now: number) =>
  Math.max(0, startedAt + depthLimits[depth].minutes * 60_000 * MODEL_SHARE - now);

/** How long a model may plan a run; 0 if no model may be called any more. */
export const planTimeMs = (run: Started, now: number): number =>
  Math.min(modelTimeLeftMs(run, now), depthLimits[run.depth].minutes * 60_000 * MODEL_PLAN_SHARE);

/** How long a model may write the next of the remaining sections; 0 if no model may be called any more. */
export const writingTimeMs = (run: Started, now: number, sectionsLeft: number): number =>
  Math.floor(modelTimeLeftMs(run, now) / Math.max(1, sectionsLeft));

const plainText = (canvas: string) =>
  canvas
    .replaceAll(/\[\^\d+\]/g, "")
    .replaceAll(/^(?:#+ |> \*\*).*$/gm, "")
    .replaceAll(/^> - /gm, "")
    .replaceAll(/[*_>`|]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/**
 * The first 200 characters of a canvas, cut after a whole word, without citation markers and headings. Disagreements
 * are included only if there is nothing else.
 */
export function snippetOf(canvas: string): string {
  const text = plainText(canvas.replaceAll(/^>.*$/gm, "")) || plainText(canvas);
  if (text.length <= SNIPPET_CHARS) return text;
  return `${text.slice(0, SNIPPET_CHARS - 1).replace(/\s+\S*$/, "")}…`;
}

export const idleRun: ResearchRunState = {
  id: "",
  status: "idle",
  seq: 0,
  depth: "standard",
  lookIn: ["library"],
  startedAt: 0,
  endedAt: null,
  pagesRead: 0,
  tokens: 0,
  verified: 0,
  leftOut: 0,
  currentTask: null,
  model: null,
  error: null,
};

/** The id of the history entry that records that a run's model stopped answering. */
export const modelFailureId = (runId: string) => `${runId}.model`;

/** Whether the model of the latest run stopped answering, so that sources are quoted for what it did not write. */
export const hasModelFailed = ({ run, history }: Pick<ResearchSession, "run" | "history">) =>
  history.some(({ id }) => id === modelFailureId(run.id));

/** Sources that were read and are not copies of other sources. */
export const countIndependent = (sources: readonly LedgerSource[]) =>
  sources.filter(({ status }) => status === "read" || status === "abstract").length;
