import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Run, TextContent } from "#shared/pages/schema.ts";
import type { AnalysisEvent, AnalysisNotice, Statement, SummaryPart } from "#shared/pdf/analysis.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

export interface SummaryWishes {
  language: string;
  instructions: string;
}

export interface SummaryView {
  componentId: string;
  state: "none" | "running" | "done" | "stopped" | "failed";
  parts: readonly SummaryPart[];
  notices: readonly AnalysisNotice[];
  done: number;
  total: number;
  /** Loaded from an earlier analysis. */
  isKept: boolean;
  /** Why it failed. */
  message: string;
}

const NOTHING: SummaryView = {
  componentId: "",
  state: "none",
  parts: [],
  notices: [],
  done: 0,
  total: 0,
  isKept: false,
  message: "",
};

const shownAtom = atom<SummaryView>(NOTHING);
export const summaryAtom = atom((get) => get(shownAtom));

let following = new AbortController();
let analysisId: string | undefined;

/** Shows the summary of a document. Another document's analysis continues on the server. */
export function openSummary(componentId: string): void {
  if (store.get(shownAtom).componentId === componentId) return;
  following.abort();
  analysisId = undefined;
  store.set(shownAtom, { ...NOTHING, componentId });
}

const change = (changes: Partial<SummaryView>) => store.set(shownAtom, (view) => ({ ...view, ...changes }));

function take(event: AnalysisEvent): void {
  const view = store.get(shownAtom);
  switch (event.type) {
    case "started":
      ({ analysisId } = event);
      return change({ isKept: event.isKept });
    case "progress":
      return change({ done: event.done, total: event.total });
    case "part":
      return change({ parts: [...view.parts, event.part] });
    case "notice":
      return change({ notices: [...view.notices, event.notice] });
    case "end":
      return change({ state: "done" });
    case "error":
      return event.code === "cancelled"
        ? change({ state: "stopped" })
        : change({ state: "failed", message: event.message });
    default:
      return event satisfies never;
  }
}

/** Summarises a document; an earlier summary is shown at once unless `isFresh` is set. */
export async function sumUp(componentId: string, wishes: SummaryWishes, isFresh: boolean): Promise<void> {
  following.abort();
  const mine = new AbortController();
  following = mine;
  analysisId = undefined;
  store.set(shownAtom, { ...NOTHING, componentId, state: "running" });
  const { language, instructions } = wishes;
  const input = {
    id: componentId,
    ...(language.trim() === "" ? {} : { language: language.trim() }),
    ...(instructions.trim() === "" ? {} : { custom_instructions: instructions.trim() }),
    ...(isFresh ? { fresh: "true" as const } : {}),
  };
  try {
    for await (const event of client.pdf.sumUp(input, { signal: mine.signal })) if (following === mine) take(event);
    if (following === mine && store.get(shownAtom).state === "running")
      change({ state: "failed", message: t("pdf.summary_cut") });
  } catch (error) {
    if (following !== mine || mine.signal.aborted) return;
    if (!(error instanceof NoAnswer)) logTrouble("Could not summarise a document", error);
    change({ state: "failed", message: messageOf(error) });
  }
}

function messageOf(error: unknown): string {
  if (error instanceof NoAnswer) return t("pdf.summary_offline");
  return error instanceof Failure ? error.message : t("pdf.summary_cut");
}

/** Stops the analysis on the server; the statements found so far stay. */
export async function stopSummary(): Promise<void> {
  const { componentId } = store.get(shownAtom);
  if (analysisId === undefined) {
    following.abort();
    return change({ state: "stopped" });
  }
  try {
    await client.pdf.stopAnalysis({ id: componentId, analysisId });
  } catch (error) {
    if (!(error instanceof NoAnswer)) logTrouble("Could not stop a summary", error);
    notify({ message: t("pdf.summary_not_stopped"), type: "error" });
  }
}

/** The key statements of the whole document. */
export const keyPointsOf = ({ parts }: SummaryView): Statement[] =>
  parts.flatMap(({ statements }) => statements.filter(({ isKey }) => isKey));

const linesOf = (statements: readonly Statement[]) =>
  statements.map(({ text, page }) => `- ${text} (${t("pdf.summary_page", { page })})`);

/** Key points and summary as plain text, each line with its page. */
function summaryText(view: SummaryView, source: string): string {
  return [
    source,
    "",
    t("pdf.summary_key"),
    ...linesOf(keyPointsOf(view)),
    "",
    t("pdf.tab_summary"),
    ...linesOf(view.parts.flatMap(({ statements }) => statements)),
  ].join("\n");
}

export async function copySummary(source: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(summaryText(store.get(shownAtom), source));
    notify({ message: t("pdf.summary_copied"), type: "success" });
  } catch (error) {
    logTrouble("Could not write to the clipboard", error);
    notify({ message: t("pdf.copy_failed"), type: "error" });
  }
}

const plain = (subType: TextContent["subType"], text: Run[]): TextContent => ({
  text,
  subType,
  metadata: { indents: 0, highlightColor: null },
});

function pointContent({ text, page, citation }: Statement): TextContent {
  const cited = parseCitation(citation);
  const target = cited && citationAddress(cited);
  const place = t("pdf.summary_page", { page });
  const link: Run[] = target === undefined ? [] : [{ content: place, reference: { kind: "link", target } }];
  return plain("list_unordered", [{ content: `${text} ` }, ...link]);
}

/** Adds the key points to the end of the document's page, each with a link to its passage. */
export async function insertKeyPoints(pageId: string, source: string): Promise<void> {
  const mine = queue();
  const heading = plain("heading_3", [{ content: t("pdf.summary_heading", { source }) }]);
  const now = Date.now();
  for (const content of [heading, ...keyPointsOf(store.get(shownAtom)).map(pointContent)]) {
    const times = { createdAt: now, modifiedAt: now, lastOpenedAt: null };
    const component = {
      _id: ulid(),
      type: "text" as const,
      pageId,
      createdBy: mine.accountId,
      version: 1,
      content,
      ...times,
    };
    await mine.enqueue("component_create", component._id, { component, parentId: pageId });
  }
  notify({ message: t("pdf.summary_inserted"), type: "success" });
}
