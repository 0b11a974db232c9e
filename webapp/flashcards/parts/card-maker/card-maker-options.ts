import type { Density } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { PagePort, PageSource } from "#webapp/pages/page-port.tsx";
import type { CardRequest } from "../../generation-runs.ts";

/** The id that stands for the page's own text in a list of file ids. */
export const PAGE_TEXT = "page";

/** The form values of the dialog. */
export interface CardMakerOptions {
  from: "file" | "page" | "paste";
  componentId: string;
  startPage: string;
  endPage: string;
  text: string;
  /** More sources for the same deck: ids of files, or `PAGE_TEXT`. */
  additionalSources: readonly string[];
  density: Density;
  instructions: string;
  language: string;
  reversed: boolean;
}

export interface FormProblem {
  field: "source" | "text" | "range";
  message: string;
}

/**
 * Preselects the chosen file, or else the first document or video. Pictures are not preselected, because they seldom have
 * text.
 */
export function createDefaultOptions(sources: readonly PageSource[], chosen: string | undefined): CardMakerOptions {
  const preselected =
    sources.find(({ componentId }) => componentId === chosen) ?? sources.find(({ kind }) => kind !== "picture");
  return {
    from: preselected === undefined ? "paste" : "file",
    componentId: (preselected ?? sources[0])?.componentId ?? "",
    startPage: "",
    endPage: "",
    text: "",
    additionalSources: [],
    density: "AUTO",
    instructions: "",
    language: "",
    reversed: false,
  };
}

/** The other sources on the page that can be added to the deck. */
export function listOtherSources(
  options: CardMakerOptions,
  sources: readonly PageSource[],
  pageText: string,
): PageSource[] {
  const files = sources.filter(({ componentId }) => options.from !== "file" || componentId !== options.componentId);
  if (options.from === "page" || pageText.trim() === "") return files;
  const name = t("flashcards.maker_page");
  return [...files, { componentId: PAGE_TEXT, name, title: name, kind: "document" }];
}

type PageRange = { startPage?: number; endPage?: number };

/** The page count of a document, and the plan's limit for one generation. */
export interface PageLimit {
  limit: number;
  pageCount: number;
}

/** Whether the chosen pages are more than the plan allows. */
const isOverLimit = ({ startPage = 1, endPage }: PageRange, { pageCount, limit }: PageLimit): boolean =>
  Math.min(endPage ?? pageCount, pageCount) - startPage + 1 > limit;

/** An empty field means no limit. */
const isPageNumber = (text: string): boolean => text === "" || (/^\d{1,9}$/.test(text) && Number(text) >= 1);

function readPageRange(options: CardMakerOptions): PageRange {
  const [startPage, endPage] = [Number(options.startPage), Number(options.endPage)];
  return { ...(startPage ? { startPage } : {}), ...(endPage ? { endPage } : {}) };
}

function findRangeProblem(options: CardMakerOptions, pageLimit: PageLimit | undefined): FormProblem | undefined {
  if (![options.startPage, options.endPage].every((text) => isPageNumber(text.trim())))
    return { field: "range", message: t("flashcards.maker_page_number_bad") };
  const range = readPageRange(options);
  if (range.startPage !== undefined && range.endPage !== undefined && range.startPage > range.endPage)
    return { field: "range", message: t("flashcards.maker_range_bad") };
  return pageLimit && isOverLimit(range, pageLimit)
    ? { field: "range", message: t("flashcards.maker_range_limit", { limit: pageLimit.limit }) }
    : undefined;
}

interface PageContent {
  sources: readonly PageSource[];
  pageText: string;
  pageLimit: PageLimit | undefined;
}

/** Validates the main source. */
function findProblem(
  options: CardMakerOptions,
  { sources, pageText, pageLimit }: PageContent,
): FormProblem | undefined {
  switch (options.from) {
    case "file": {
      if (!options.componentId) return { field: "source", message: t("flashcards.maker_no_file") };
      const source = sources.find(({ componentId }) => componentId === options.componentId);
      if (!source) return { field: "source", message: t("flashcards.maker_file_removed") };
      // Only documents have page fields.
      return source.kind === "document" ? findRangeProblem(options, pageLimit) : undefined;
    }
    case "page":
      return pageText === "" ? { field: "source", message: t("flashcards.maker_page_empty") } : undefined;
    case "paste":
      return options.text.trim() === "" ? { field: "text", message: t("flashcards.maker_text_empty") } : undefined;
    default:
      return options.from satisfies never;
  }
}

/** The request for these form values, or the problem with them. */
export function buildRequest(
  options: CardMakerOptions,
  pagePort: Pick<PagePort, "pageId" | "listSources" | "getText">,
  pageLimit?: PageLimit,
): { request: CardRequest } | { problem: FormProblem } {
  const pageText = pagePort.getText().trim();
  const sources = pagePort.listSources();
  const problem = findProblem(options, { sources, pageText, pageLimit });
  if (problem) return { problem };
  const others = listOtherSources(options, sources, pageText).map(({ componentId }) => componentId);
  const chosenIds = new Set(options.additionalSources.filter((id) => others.includes(id)));
  if (options.from === "page") chosenIds.add(PAGE_TEXT);
  if (options.from === "file") chosenIds.add(options.componentId);
  const files = sources.filter(({ componentId }) => chosenIds.has(componentId));
  // The API takes documents and pictures of every format under this name.
  const pdfComponents = files
    .filter(({ kind }) => kind !== "video")
    .map(({ componentId, kind }) => {
      const isMain = options.from === "file" && componentId === options.componentId && kind === "document";
      return { componentId, ...(isMain ? readPageRange(options) : {}) };
    });
  const videoComponents = files.flatMap(({ componentId, kind }) => (kind === "video" ? [{ componentId }] : []));
  // Page text is cited under the page's own id. Pasted text has no location that could be cited.
  const pageTextSource = { text: pageText, pageId: pagePort.pageId, componentId: pagePort.pageId };
  const texts = [
    ...(options.from === "paste" ? [options.text.trim()] : []),
    ...(chosenIds.has(PAGE_TEXT) ? [pageTextSource] : []),
  ];
  return {
    request: {
      ...(pdfComponents.length > 0 && { pdfComponents }),
      ...(videoComponents.length > 0 && { videoComponents }),
      ...(texts.length > 0 && { texts }),
      options: toGenerationOptions(options),
    },
  };
}

function toGenerationOptions({ density, instructions, language, reversed }: CardMakerOptions): CardRequest["options"] {
  const [customInstructions, outputLanguage] = [instructions.trim(), language.trim()];
  return {
    density,
    ...(customInstructions && { customInstructions }),
    ...(outputLanguage && { language: outputLanguage }),
    ...(reversed && { reversed }),
  };
}

/** The deck is named after its main source. */
export const chooseDeckTitle = (options: CardMakerOptions, sources: readonly PageSource[]) => {
  const chosen = options.from === "file" && sources.find(({ componentId }) => componentId === options.componentId);
  return (chosen && chosen.title) || t("flashcards.untitled");
};
