import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { citationAddress, parseCitation } from "#shared/citations.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Run, TextContent } from "#shared/pages/schema.ts";
import type { AnalysisEvent, AnalysisNotice, Statement, SummaryPart } from "#shared/pdf/analysis.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

export interface SummaryOptions {
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
  isStored: boolean;
  /** Why it failed. */
  message: string;
}

const EMPTY_SUMMARY: SummaryView = {
  componentId: "",
  state: "none",
  parts: [],
  notices: [],
  done: 0,
  total: 0,
  isStored: false,
  message: "",
};

const summaryStateAtom = atom<SummaryView>(EMPTY_SUMMARY);
export const summaryAtom = atom((get) => get(summaryStateAtom));

let currentRequest = new AbortController();
let analysisId: string | undefined;

/** Shows the summary of a document. Another document's analysis continues on the server. */
export function openSummary(componentId: string): void {
  if (store.get(summaryStateAtom).componentId === componentId) return;
  currentRequest.abort();
  analysisId = undefined;
  store.set(summaryStateAtom, { ...EMPTY_SUMMARY, componentId });
}

const updateSummary = (changes: Partial<SummaryView>) =>
  store.set(summaryStateAtom, (view) => ({ ...view, ...changes }));

function applyEvent(event: AnalysisEvent): void {
  const view = store.get(summaryStateAtom);
  switch (event.type) {
    case "started":
      ({ analysisId } = event);
      return updateSummary({ isStored: event.isStored });
    case "progress":
      return updateSummary({ done: event.done, total: event.total });
    case "part":
      return updateSummary({ parts: [...view.parts, event.part] });
    case "notice":
      return updateSummary({ notices: [...view.notices, event.notice] });
    case "end":
      return updateSummary({ state: "done" });
    case "error":
      return event.code === "cancelled"
        ? updateSummary({ state: "stopped" })
        : updateSummary({ state: "failed", message: event.message });
    default:
      return event satisfies never;
  }
}

/** Summarises a document; an earlier summary is shown at once unless `isFresh` is set. */
export async function sumUp(componentId: string, options: SummaryOptions, isFresh: boolean): Promise<void> {
  currentRequest.abort();
  const request = new AbortController();
  currentRequest = request;
  analysisId = undefined;
  store.set(summaryStateAtom, { ...EMPTY_SUMMARY, componentId, state: "running" });
  const { language, instructions } = options;
  const input = {
    id: componentId,
    ...(language.trim() === "" ? {} : { language: language.trim() }),
    ...(instructions.trim() === "" ? {} : { custom_instructions: instructions.trim() }),
    ...(isFresh ? { fresh: "true" as const } : {}),
  };
  try {
    for await (const event of client.pdf.sumUp(input, { signal: request.signal }))
      if (currentRequest === request) applyEvent(event);
    if (currentRequest === request && store.get(summaryStateAtom).state === "running")
      updateSummary({ state: "failed", message: t("pdf.summary_interrupted") });
  } catch (error) {
    if (currentRequest !== request || request.signal.aborted) return;
    if (!(error instanceof NoResponseError)) logWarning("Could not summarise a document", error);
    updateSummary({ state: "failed", message: describeFailure(error) });
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof NoResponseError) return t("pdf.summary_offline");
  return error instanceof Failure ? error.message : t("pdf.summary_interrupted");
}

/** Stops the analysis on the server; the statements found so far stay. */
export async function stopSummary(): Promise<void> {
  const { componentId } = store.get(summaryStateAtom);
  if (analysisId === undefined) {
    currentRequest.abort();
    return updateSummary({ state: "stopped" });
  }
  try {
    await client.pdf.stopAnalysis({ id: componentId, analysisId });
  } catch (error) {
    if (!(error instanceof NoResponseError)) logWarning("Could not stop a summary", error);
    notify({ message: t("pdf.summary_not_stopped"), type: "error" });
  }
}

/** The key statements of the whole document. */
export const listKeyPoints = ({ parts }: SummaryView): Statement[] =>
  parts.flatMap(({ statements }) => statements.filter(({ isKey }) => isKey));

const formatStatements = (statements: readonly Statement[]) =>
  statements.map(({ text, page }) => `- ${text} (${t("pdf.summary_page", { page })})`);

/** Key points and summary as plain text, each line with its page. */
function formatSummary(view: SummaryView, source: string): string {
  return [
    source,
    "",
    t("pdf.summary_key"),
    ...formatStatements(listKeyPoints(view)),
    "",
    t("pdf.tab_summary"),
    ...formatStatements(view.parts.flatMap(({ statements }) => statements)),
  ].join("\n");
}

export async function copySummary(source: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(formatSummary(store.get(summaryStateAtom), source));
    notify({ message: t("pdf.summary_copied"), type: "success" });
  } catch (error) {
    logWarning("Could not write to the clipboard", error);
    notify({ message: t("pdf.copy_failed"), type: "error" });
  }
}

const createTextContent = (subType: TextContent["subType"], text: Run[]): TextContent => ({
  text,
  subType,
  metadata: { indents: 0, highlightColor: null },
});

function createPointContent({ text, page, citation }: Statement): TextContent {
  const cited = parseCitation(citation);
  const target = cited && citationAddress(cited);
  const pageLabel = t("pdf.summary_page", { page });
  const link: Run[] = target === undefined ? [] : [{ content: pageLabel, reference: { kind: "link", target } }];
  return createTextContent("list_unordered", [{ content: `${text} ` }, ...link]);
}

/** Adds the key points to the end of the document's page, each with a link to its passage. */
export async function insertKeyPoints(pageId: string, source: string): Promise<void> {
  const syncQueue = queue();
  const heading = createTextContent("heading_1", [{ content: t("pdf.summary_heading", { source }) }]);
  const now = Date.now();
  for (const content of [heading, ...listKeyPoints(store.get(summaryStateAtom)).map(createPointContent)]) {
    const times = { createdAt: now, modifiedAt: now, lastOpenedAt: null };
    const component = {
      _id: ulid(),
      type: "text" as const,
      pageId,
      createdBy: syncQueue.accountId,
      version: 1,
      content,
      ...times,
    };
    await syncQueue.enqueue("component_create", component._id, { component, parentId: pageId });
  }
  notify({ message: t("pdf.summary_inserted"), type: "success" });
}
