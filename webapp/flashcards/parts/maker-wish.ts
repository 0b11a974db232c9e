import type { Density } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { PageDoor, PageSource } from "#webapp/pages/page-door.tsx";
import type { CardRequest } from "../state.ts";

/** The page's own text, among the ids of its files. */
export const PAGE_TEXT = "page";

/** The form values of the dialog. */
export interface Wish {
  from: "file" | "page" | "paste";
  componentId: string;
  startPage: string;
  endPage: string;
  text: string;
  /** More sources for the same deck: ids of files, or `PAGE_TEXT`. */
  also: readonly string[];
  density: Density;
  instructions: string;
  language: string;
  reversed: boolean;
}

export interface Problem {
  field: "source" | "text" | "range";
  message: string;
}

/** Pictures are never preselected, because they seldom hold text. */
export function firstWish(sources: readonly PageSource[], chosen: string | undefined): Wish {
  const first = sources.find(({ kind }) => kind !== "picture");
  return {
    from: first !== undefined || chosen !== undefined ? "file" : "paste",
    componentId: chosen ?? first?.componentId ?? sources[0]?.componentId ?? "",
    startPage: "",
    endPage: "",
    text: "",
    also: [],
    density: "AUTO",
    instructions: "",
    language: "",
    reversed: false,
  };
}

/** The other sources on the page that can be added to the deck. */
export function othersOf(wish: Wish, sources: readonly PageSource[], pageText: string): PageSource[] {
  const files = sources.filter(({ componentId }) => wish.from !== "file" || componentId !== wish.componentId);
  if (wish.from === "page" || pageText.trim() === "") return files;
  return [...files, { componentId: PAGE_TEXT, name: t("flashcards.maker_page"), kind: "document" }];
}

const pageNumber = (text: string): number | undefined => {
  const page = Number.parseInt(text, 10);
  return Number.isSafeInteger(page) && page >= 1 ? page : undefined;
};

type Range = { startPage?: number; endPage?: number };

function rangeOf(wish: Wish): Range | undefined {
  const [startPage, endPage] = [pageNumber(wish.startPage), pageNumber(wish.endPage)];
  if (startPage !== undefined && endPage !== undefined && startPage > endPage) return undefined;
  return { ...(startPage ? { startPage } : {}), ...(endPage ? { endPage } : {}) };
}

/** Validates the source that was chosen first. */
function problemOf(wish: Wish, pageText: string): Problem | undefined {
  switch (wish.from) {
    case "file":
      if (!wish.componentId) return { field: "source", message: t("flashcards.maker_no_file") };
      return rangeOf(wish) ? undefined : { field: "range", message: t("flashcards.maker_range_bad") };
    case "page":
      return pageText === "" ? { field: "source", message: t("flashcards.maker_page_empty") } : undefined;
    case "paste":
      return wish.text.trim() === "" ? { field: "text", message: t("flashcards.maker_text_empty") } : undefined;
    default:
      return wish.from satisfies never;
  }
}

/** The request for these form values, or the problem with them. */
export function askFor(wish: Wish, door: PageDoor): { request: CardRequest } | { problem: Problem } {
  const pageText = door.text().trim();
  const problem = problemOf(wish, pageText);
  if (problem) return { problem };
  const sources = door.sources();
  const others = othersOf(wish, sources, pageText).map(({ componentId }) => componentId);
  const taken = new Set(wish.also.filter((id) => others.includes(id)));
  if (wish.from === "page") taken.add(PAGE_TEXT);
  if (wish.from === "file") taken.add(wish.componentId);
  const files = sources.filter(({ componentId }) => taken.has(componentId));
  const pdfComponents = files
    .filter(({ kind }) => kind !== "video")
    .map(({ componentId, kind }) => {
      const isFirst = wish.from === "file" && componentId === wish.componentId && kind === "document";
      return { componentId, ...(isFirst ? rangeOf(wish) : {}) };
    });
  const videoComponents = files.flatMap(({ componentId, kind }) => (kind === "video" ? [{ componentId }] : []));
  // Page text is cited under the page's own id; pasted text has no location.
  const onPage = { text: pageText, pageId: door.pageId, componentId: door.pageId };
  const texts = [...(wish.from === "paste" ? [wish.text.trim()] : []), ...(taken.has(PAGE_TEXT) ? [onPage] : [])];
  return {
    request: {
      ...(pdfComponents.length > 0 && { pdfComponents }),
      ...(videoComponents.length > 0 && { videoComponents }),
      ...(texts.length > 0 && { texts }),
      options: optionsOf(wish),
    },
  };
}

function optionsOf({ density, instructions, language, reversed }: Wish): CardRequest["options"] {
  const [customInstructions, wanted] = [instructions.trim(), language.trim()];
  return {
    density,
    ...(customInstructions && { customInstructions }),
    ...(wanted && { language: wanted }),
    ...(reversed && { reversed }),
  };
}

/** The deck is named after the file that was chosen first. */
export const titleOf = (wish: Wish, sources: readonly PageSource[]) => {
  const name = wish.from === "file" && sources.find((each) => each.componentId === wish.componentId)?.name;
  return name ? name.replace(/\.[a-z0-9]{1,8}$/i, "") : t("flashcards.untitled");
};
