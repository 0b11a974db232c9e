import { atom } from "jotai/vanilla";
import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { Anchor } from "#shared/pdf/anchoring/quote-anchoring.ts";
import { rectsOfRange } from "#shared/pdf/text-rects.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { recordOpened } from "#webapp/library/record-opened.ts";
import { store } from "#webapp/app/store.ts";
import { discardBufferedKeys } from "./viewer/key-buffer.ts";
import type { DocumentTarget } from "./document-target.ts";
import { claimDocument } from "./viewer/preloaded-document.ts";
import { findAll, EMPTY_FIND_VIEW, type FindView, type Match } from "./selection/find.ts";
import type { EarlyPaint } from "./viewer/early-paint.ts";
import { Flow } from "./viewer/flow.ts";
import { findInFile, findInPassages, type QuoteHighlight } from "./selection/quote-highlight.ts";
import { Painter } from "./viewer/painter.ts";
import { classifyFailure } from "./viewer/pdfjs.ts";
import { PdfFile } from "./viewer/pdf-file.ts";
import { readViewport, writeViewport } from "./viewer/stored-viewports.ts";
import { TextLayers } from "./viewer/text-layers.ts";

/** Name and page of a document. */
export interface DocumentInfo {
  componentId: string;
  name: string;
  pageId: string;
}

export interface PagedDocument extends DocumentInfo {
  state: "paged";
  file: PdfFile;
  flow: Flow;
  painter: Painter;
  texts: TextLayers;
}

/** A document without a fixed layout, such as Word or PowerPoint: its extracted text. */
export interface TextDocument extends DocumentInfo {
  state: "text";
  passages: Passage[];
  pageCount: number;
  /** Its pages are slides, shown with dividers. */
  isSlides: boolean;
  /** The PDF whose text this is. */
  paged?: PagedDocument;
}

export type OpenDocument =
  | { state: "loading" | "missing" | "offline" | "failed" | "broken" | "slow" | "heavy" | "empty"; componentId: string }
  | { state: "locked"; componentId: string; isWrong: boolean; unlock: (password: string) => void }
  | PagedDocument
  | TextDocument;

const openAtom = atom<OpenDocument | null>(null);
export const openDocumentAtom = atom((get) => get(openAtom));

/** Outcome of the search for the quote in the URL. */
export type HighlightState =
  | { state: "none" }
  | { state: "looking" }
  | { state: "shown"; highlight: QuoteHighlight }
  | { state: "absent"; page: number };
const highlightStateAtom = atom<HighlightState>({ state: "none" });
export const quoteHighlightAtom = atom((get) => get(highlightStateAtom));

const findAtom = atom<FindView>(EMPTY_FIND_VIEW);
export const findViewAtom = atom((get) => get(findAtom));

let closeCurrent: () => void = () => undefined;

/** Opens a document; returns a function that closes it. */
export function openDocument(componentId: string): () => void {
  closeCurrent();
  store.set(openAtom, { state: "loading", componentId });
  store.set(highlightStateAtom, { state: "none" });
  store.set(findAtom, EMPTY_FIND_VIEW);
  const opener = new DocumentOpener(componentId);
  void opener.run();
  const close = () => {
    opener.close();
    if (closeCurrent === close) closeCurrent = () => undefined;
  };
  closeCurrent = close;
  return close;
}

export function retryDocument(componentId: string): void {
  openDocument(componentId);
}

class DocumentOpener {
  readonly #componentId: string;
  #task: PDFDocumentLoadingTask | undefined;
  #open: PagedDocument | undefined;
  #earlyPaint: EarlyPaint | undefined;
  #isClosed = false;
  readonly #saveViewport = () => {
    if (this.#open) writeViewport(this.#componentId, this.#open.flow.viewport());
  };

  constructor(componentId: string) {
    this.#componentId = componentId;
  }

  async run(): Promise<void> {
    const componentId = this.#componentId;
    // Both requests run in parallel: the component, and the beginning of the file in case it is a PDF.
    const { task, first } = this.#read();
    this.#earlyPaint = first;
    try {
      const { component } = await client.pages.getComponent({ id: componentId });
      const details = readDetails(component);
      if (!details) return this.#show({ state: "missing", componentId });
      if (details.isPdf) await this.#openPaged(details, task, first);
      else await this.#openText(details);
      recordOpened(this.#componentId);
    } catch (error) {
      this.#show({ state: classifyError(error), componentId });
      if (!(error instanceof NoResponseError)) logWarning("Could not open a document", error);
    }
    return undefined;
  }

  #show(next: OpenDocument): void {
    // The early picture must not cover anything but the document, and buffered keys are meant for the document only.
    if (next.state !== "paged") {
      this.#earlyPaint?.dismiss();
      discardBufferedKeys();
    }
    if (!this.#isClosed) store.set(openAtom, next);
  }

  #read(): ReturnType<typeof claimDocument> {
    const componentId = this.#componentId;
    const claimed = claimDocument(componentId, (unlock, reason) =>
      this.#show({ state: "locked", componentId, isWrong: reason === 2, unlock }),
    );
    this.#task = claimed.task;
    return claimed;
  }

  async #openPaged(
    { name, pageId }: Omit<DocumentInfo, "componentId">,
    task: PDFDocumentLoadingTask,
    first: EarlyPaint | undefined,
  ): Promise<void> {
    const componentId = this.#componentId;
    const file = await PdfFile.open(task);
    if (file.pageCount === 0) return this.#show({ state: "empty", componentId });
    if (this.#isClosed) return undefined;
    const { pageCount, firstSize } = file;
    const flow = new Flow({ pageCount, firstSize, viewport: readViewport(componentId) });
    const painter = new Painter(file, flow, first);
    const texts = new TextLayers(flow, painter);
    this.#open = { state: "paged", componentId, name, pageId, file, flow, painter, texts };
    window.addEventListener("pagehide", this.#saveViewport);
    this.#show(this.#open);
    return undefined;
  }

  async #openText({ name, pageId, isSlides }: DocumentDetails): Promise<void> {
    const componentId = this.#componentId;
    const { passages, pageCount } = await client.pdf.getPassages({ id: componentId });
    if (passages.length === 0) this.#show({ state: "empty", componentId });
    else this.#show({ state: "text", componentId, name, pageId, passages, pageCount, isSlides });
  }

  close(): void {
    this.#isClosed = true;
    this.#saveViewport();
    window.removeEventListener("pagehide", this.#saveViewport);
    this.#earlyPaint?.dismiss();
    this.#open?.painter.close();
    this.#task?.destroy().catch((error: unknown) => logWarning("Could not close a document", error));
    if (store.get(openAtom)?.componentId === this.#componentId) store.set(openAtom, null);
  }
}

interface DocumentDetails extends Omit<DocumentInfo, "componentId"> {
  isPdf: boolean;
  isSlides: boolean;
}

function readDetails(component: Component): DocumentDetails | undefined {
  if (component.type !== "image") return undefined;
  const { file, title } = component.content;
  return {
    name: title || file.name,
    pageId: component.pageId,
    isPdf: file.id.endsWith(".pdf"),
    isSlides: /\.pptx?$/u.test(file.id),
  };
}

function classifyError(error: unknown): "missing" | "offline" | "failed" | "broken" | "slow" | "heavy" {
  if (error instanceof NoResponseError) return "offline";
  if (error instanceof Failure) {
    if (error.code === "invalid_pdf" || error.code === "invalid_file") return "broken";
    if (error.code === "timed_out") return "slow";
    if (error.code === "too_large") return "heavy";
    return error.code === "not_found" || error.code === "bad_input" ? "missing" : "failed";
  }
  const failure = classifyFailure(error);
  return failure === "locked" ? "broken" : failure;
}

let highlightSearch = new AbortController();

/** Highlights the quoted passage and scrolls to it; if it is not found, scrolls to the page and reports that. */
export async function highlightQuote(open: PagedDocument, { page, quote }: DocumentTarget): Promise<void> {
  highlightSearch.abort();
  highlightSearch = new AbortController();
  const { signal } = highlightSearch;
  if (page !== undefined) open.flow.jump(page);
  if (quote === undefined) {
    store.set(highlightStateAtom, { state: "none" });
    return;
  }
  store.set(highlightStateAtom, { state: "looking" });
  const highlight = await findHighlight(open, { quote, page }, signal).catch((error: unknown) => {
    logWarning("Could not search for a quote", error);
    return null;
  });
  if (signal.aborted) return;
  const [first] = highlight?.pieces ?? [];
  if (!highlight || !first) {
    store.set(highlightStateAtom, { state: "absent", page: page ?? open.flow.view().page });
    return;
  }
  scrollToLine(open, first.page, first.rects[0]?.[1] ?? 0);
  store.set(highlightStateAtom, { state: "shown", highlight });
}

/**
 * Searches the file's own text, then the text that the server extracted, for example from a scan. In extracted text,
 * the whole passage is highlighted.
 */
async function findHighlight({ file, componentId }: PagedDocument, anchor: Anchor, signal: AbortSignal) {
  const found = await findInFile(file, anchor, signal);
  if (found || signal.aborted || anchor.page === undefined) return found;
  const from = Math.max(1, anchor.page - 1);
  const to = Math.min(file.pageCount, anchor.page + 1);
  const { passages } = await client.pdf.getPassages({ id: componentId, from, to });
  return findInPassages(passages, anchor);
}

/** Height of the text above a passage that stays visible when the page scrolls to the passage. */
const CONTEXT_PX = 140;

function scrollToLine({ flow }: PagedDocument, page: number, y: number): void {
  flow.jump(page, y, CONTEXT_PX);
}

export function clearHighlight(): void {
  highlightSearch.abort();
  store.set(highlightStateAtom, { state: "none" });
}

let findCount = 0;

export async function startFind(open: PagedDocument, query: string): Promise<void> {
  findCount += 1;
  const findId = findCount;
  if (query.trim() === "") {
    store.set(findAtom, { ...EMPTY_FIND_VIEW, query });
    return;
  }
  let isShown = false;
  for await (const view of findAll(open.file, query, open.flow.view().page)) {
    if (findId !== findCount) return;
    const { query: before, currentIndex } = store.get(findAtom);
    const preferredIndex = before === query && isShown ? Math.max(currentIndex, 0) : view.currentIndex;
    const chosenIndex = isShown ? keepCurrentMatch(store.get(findAtom), view, preferredIndex) : view.currentIndex;
    store.set(findAtom, { ...view, currentIndex: chosenIndex });
    if (!isShown && chosenIndex >= 0) {
      isShown = true;
      await showMatch(open);
    }
  }
}

/** Keeps the current match while more matches are added. */
function keepCurrentMatch(before: FindView, after: FindView, currentIndex: number): number {
  const shown = before.matches[currentIndex];
  const newIndex = after.matches.findIndex((match) => match.page === shown?.page && match.start === shown.start);
  return newIndex < 0 ? after.currentIndex : newIndex;
}

export async function findNext(open: PagedDocument, step: 1 | -1): Promise<void> {
  const view = store.get(findAtom);
  const { length } = view.matches;
  if (length === 0) return;
  store.set(findAtom, { ...view, currentIndex: (view.currentIndex + step + length) % length });
  await showMatch(open);
}

async function showMatch(open: PagedDocument): Promise<void> {
  const { matches, currentIndex } = store.get(findAtom);
  const match = matches[currentIndex];
  if (!match) return;
  const [rect] = rectsOfRange(await open.file.getPageText(match.page), match.start, match.end);
  scrollToLine(open, match.page, rect?.[1] ?? 0);
}

/** Ends the search; returns the current match. */
export function endFind(): Match | undefined {
  findCount += 1;
  const { matches, currentIndex } = store.get(findAtom);
  store.set(findAtom, EMPTY_FIND_VIEW);
  return matches[currentIndex];
}
