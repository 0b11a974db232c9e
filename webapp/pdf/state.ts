import { atom } from "jotai/vanilla";
import type { PDFDocumentLoadingTask } from "pdfjs-dist";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { Anchor } from "#shared/pdf/anchoring.ts";
import { rectsOf } from "#shared/pdf/text-rects.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { noteOpened } from "#webapp/library/note-opened.ts";
import { store } from "#webapp/app/store.ts";
import { dropKeys } from "./viewer/early-keys.ts";
import { takeDocument } from "./viewer/expected.ts";
import { findAll, NOTHING_FOUND, type FindView, type Match } from "./selection/find.ts";
import type { FirstPicture } from "./viewer/first-picture.ts";
import { Flow } from "./viewer/flow.ts";
import { findInFile, lightOfPassages, type Lit } from "./selection/light.ts";
import { Painter } from "./viewer/painter.ts";
import { faultOf } from "./viewer/pdfjs.ts";
import { PdfFile } from "./viewer/pdf-file.ts";
import { readPlace, writePlace } from "./viewer/place-memory.ts";
import { TextLayers } from "./viewer/text-layers.ts";

/** Name and page of a document. */
interface Named {
  componentId: string;
  name: string;
  pageId: string;
}

export interface PagedDocument extends Named {
  state: "paged";
  file: PdfFile;
  flow: Flow;
  painter: Painter;
  texts: TextLayers;
}

/** A document without a fixed layout, such as Word or PowerPoint: its extracted text. */
export interface TextDocument extends Named {
  state: "text";
  passages: Passage[];
  pageCount: number;
  /** Its pages are slides, shown with dividers. */
  isSlides: boolean;
}

export type OpenDocument =
  | { state: "loading" | "missing" | "offline" | "failed" | "broken" | "slow" | "heavy" | "empty"; componentId: string }
  | { state: "locked"; componentId: string; isWrong: boolean; unlock: (password: string) => void }
  | PagedDocument
  | TextDocument;

const openAtom = atom<OpenDocument | null>(null);
export const openDocumentAtom = atom((get) => get(openAtom));

/** Outcome of the search for the quote in the URL. */
export type LightState =
  | { state: "none" }
  | { state: "looking" }
  | { state: "lit"; lit: Lit }
  | { state: "absent"; page: number };
const lightAtom = atom<LightState>({ state: "none" });
export const lightStateAtom = atom((get) => get(lightAtom));

const findAtom = atom<FindView>(NOTHING_FOUND);
export const findViewAtom = atom((get) => get(findAtom));

let closing: () => void = () => undefined;

/** Opens a document; returns a function that closes it. */
export function openDocument(componentId: string): () => void {
  closing();
  store.set(openAtom, { state: "loading", componentId });
  store.set(lightAtom, { state: "none" });
  store.set(findAtom, NOTHING_FOUND);
  const opening = new Opening(componentId);
  void opening.run();
  const close = () => {
    opening.close();
    if (closing === close) closing = () => undefined;
  };
  closing = close;
  return close;
}

export function retryDocument(componentId: string): void {
  openDocument(componentId);
}

class Opening {
  readonly #componentId: string;
  #task: PDFDocumentLoadingTask | undefined;
  #open: PagedDocument | undefined;
  #first: FirstPicture | undefined;
  #isClosed = false;
  readonly #remember = () => {
    if (this.#open) writePlace(this.#componentId, this.#open.flow.place());
  };

  constructor(componentId: string) {
    this.#componentId = componentId;
  }

  async run(): Promise<void> {
    const componentId = this.#componentId;
    // Both requests run in parallel: the component, and the beginning of the file in case it is a PDF.
    const { task, first } = this.#read();
    this.#first = first;
    try {
      const { component } = await client.pages.getComponent({ id: componentId });
      const named = nameOf(component);
      if (!named) return this.#show({ state: "missing", componentId });
      if (named.isPdf) await this.#openPaged(named, task, first);
      else await this.#openText(named);
      noteOpened(this.#componentId);
    } catch (error) {
      this.#show({ state: stateOf(error), componentId });
      if (!(error instanceof NoAnswer)) logTrouble("Could not open a document", error);
    }
    return undefined;
  }

  #show(next: OpenDocument): void {
    // The early picture must not cover anything but the document, and buffered keys are meant for the document only.
    if (next.state !== "paged") {
      this.#first?.takeDown();
      dropKeys();
    }
    if (!this.#isClosed) store.set(openAtom, next);
  }

  #read(): ReturnType<typeof takeDocument> {
    const componentId = this.#componentId;
    const taken = takeDocument(componentId, (unlock, reason) =>
      this.#show({ state: "locked", componentId, isWrong: reason === 2, unlock }),
    );
    this.#task = taken.task;
    return taken;
  }

  async #openPaged(
    { name, pageId }: Omit<Named, "componentId">,
    task: PDFDocumentLoadingTask,
    first: FirstPicture | undefined,
  ): Promise<void> {
    const componentId = this.#componentId;
    const file = await PdfFile.open(task);
    if (file.pageCount === 0) return this.#show({ state: "empty", componentId });
    if (this.#isClosed) return undefined;
    const { pageCount, firstSize } = file;
    const flow = new Flow({ pageCount, firstSize, place: readPlace(componentId) });
    const painter = new Painter(file, flow, first);
    const texts = new TextLayers(flow, painter);
    this.#open = { state: "paged", componentId, name, pageId, file, flow, painter, texts };
    window.addEventListener("pagehide", this.#remember);
    this.#show(this.#open);
    return undefined;
  }

  async #openText({ name, pageId, isSlides }: Found): Promise<void> {
    const componentId = this.#componentId;
    const { passages, pageCount } = await client.pdf.getPassages({ id: componentId });
    if (passages.length === 0) this.#show({ state: "empty", componentId });
    else this.#show({ state: "text", componentId, name, pageId, passages, pageCount, isSlides });
  }

  close(): void {
    this.#isClosed = true;
    this.#remember();
    window.removeEventListener("pagehide", this.#remember);
    this.#first?.takeDown();
    this.#open?.painter.close();
    this.#task?.destroy().catch((error: unknown) => logTrouble("Could not close a document", error));
    if (store.get(openAtom)?.componentId === this.#componentId) store.set(openAtom, null);
  }
}

interface Found extends Omit<Named, "componentId"> {
  isPdf: boolean;
  isSlides: boolean;
}

function nameOf(component: Component): Found | undefined {
  if (component.type !== "image") return undefined;
  const { file, title } = component.content;
  return {
    name: title || file.name,
    pageId: component.pageId,
    isPdf: file.id.endsWith(".pdf"),
    isSlides: /\.pptx?$/u.test(file.id),
  };
}

function stateOf(error: unknown): "missing" | "offline" | "failed" | "broken" | "slow" | "heavy" {
  if (error instanceof NoAnswer) return "offline";
  if (error instanceof Failure) {
    if (error.code === "invalid_pdf" || error.code === "invalid_file") return "broken";
    if (error.code === "timed_out") return "slow";
    if (error.code === "too_large") return "heavy";
    return error.code === "not_found" || error.code === "bad_input" ? "missing" : "failed";
  }
  const fault = faultOf(error);
  return fault === "locked" ? "broken" : fault;
}

let looking = new AbortController();

/** Highlights the quoted passage and scrolls to it; if it is not found, scrolls to the page and reports that. */
export async function lightQuote(open: PagedDocument, { page, quote }: Wanted): Promise<void> {
  looking.abort();
  looking = new AbortController();
  const { signal } = looking;
  if (page !== undefined) open.flow.jump(page);
  if (quote === undefined) {
    store.set(lightAtom, { state: "none" });
    return;
  }
  store.set(lightAtom, { state: "looking" });
  const lit = await findLight(open, { quote, page }, signal).catch((error: unknown) => {
    logTrouble("Could not search for a quote", error);
    return null;
  });
  if (signal.aborted) return;
  const [first] = lit?.pieces ?? [];
  if (!lit || !first) {
    store.set(lightAtom, { state: "absent", page: page ?? open.flow.view().page });
    return;
  }
  turnTo(open, first.page, first.rects[0]?.[1] ?? 0);
  store.set(lightAtom, { state: "lit", lit });
}

/**
 * Searches the file's own text, then the text extracted by the server, as for a scan: there the whole passage is
 * highlighted.
 */
async function findLight({ file, componentId }: PagedDocument, anchor: Anchor, signal: AbortSignal) {
  const found = await findInFile(file, anchor, signal);
  if (found || signal.aborted || anchor.page === undefined) return found;
  const from = Math.max(1, anchor.page - 1);
  const to = Math.min(file.pageCount, anchor.page + 1);
  const { passages } = await client.pdf.getPassages({ id: componentId, from, to });
  return lightOfPassages(passages, anchor);
}

interface Wanted {
  page: number | undefined;
  quote: string | undefined;
}

/** Keeps the context above the passage visible. */
const ABOVE_PX = 140;

function turnTo({ flow }: PagedDocument, page: number, y: number): void {
  flow.jump(page, y, ABOVE_PX);
}

export function putOutLight(): void {
  looking.abort();
  store.set(lightAtom, { state: "none" });
}

let finding = 0;

export async function find(open: PagedDocument, query: string): Promise<void> {
  finding += 1;
  const mine = finding;
  if (query.trim() === "") {
    store.set(findAtom, { ...NOTHING_FOUND, query });
    return;
  }
  let isShown = false;
  for await (const view of findAll(open.file, query, open.flow.view().page)) {
    if (mine !== finding) return;
    const { query: before, at } = store.get(findAtom);
    const kept = before === query && isShown ? Math.max(at, 0) : view.at;
    const chosen = isShown ? sameMatch(store.get(findAtom), view, kept) : view.at;
    store.set(findAtom, { ...view, at: chosen });
    if (!isShown && chosen >= 0) {
      isShown = true;
      await showMatch(open);
    }
  }
}

/** Keeps the current match while more matches are added. */
function sameMatch(before: FindView, after: FindView, at: number): number {
  const shown = before.matches[at];
  const place = after.matches.findIndex((match) => match.page === shown?.page && match.start === shown.start);
  return place < 0 ? after.at : place;
}

export async function findNext(open: PagedDocument, step: 1 | -1): Promise<void> {
  const view = store.get(findAtom);
  const { length } = view.matches;
  if (length === 0) return;
  store.set(findAtom, { ...view, at: (view.at + step + length) % length });
  await showMatch(open);
}

async function showMatch(open: PagedDocument): Promise<void> {
  const { matches, at } = store.get(findAtom);
  const match = matches[at];
  if (!match) return;
  const [rect] = rectsOf(await open.file.textOf(match.page), match.start, match.end);
  turnTo(open, match.page, rect?.[1] ?? 0);
}

/** Ends the search; returns the current match. */
export function endFind(): Match | undefined {
  finding += 1;
  const { matches, at } = store.get(findAtom);
  store.set(findAtom, NOTHING_FOUND);
  return matches[at];
}
