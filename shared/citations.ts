import { screenPath } from "./screens.ts";

/** A longer quote is cut at a word boundary: its beginning is enough to find the passage, and cards stay small. */
const MAX_ENCODED_QUOTE = 4000;

function quotePart(quote: string | undefined): string {
  // An unpaired surrogate cannot be percent-encoded.
  let words = (quote ?? "")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\uD800-\uDFFF]/gu, "\uFFFD");
  let encoded = encodeURIComponent(words);
  while (encoded.length > MAX_ENCODED_QUOTE) {
    const shortened = words.slice(0, Math.floor(words.length * 0.8)).replace(/[\uD800-\uDFFF]$/u, "");
    words = shortened.slice(
      0,
      shortened.lastIndexOf(" ") > shortened.length / 2 ? shortened.lastIndexOf(" ") : shortened.length,
    );
    encoded = encodeURIComponent(words);
  }
  return encoded === "" ? "" : `:${encoded}`;
}

/** A page of a PDF, Word or slide component, with the quoted words. */
export const pdfCitation = (componentId: string, page: number, quote?: string) =>
  `pdf_citation:${componentId}:${page}${quotePart(quote)}`;

/** A component of a page of notes, with the quoted words. */
export const pageCitation = (pageId: string, componentId: string, quote?: string) =>
  `page_citation:${pageId}:${componentId}${quotePart(quote)}`;

/** A section of a video, in milliseconds from its start, with the words spoken there. */
export const videoCitation = (componentId: string, startMs: number, endMs: number, quote?: string) =>
  `video_citation:${componentId}:${Math.round(startMs)}-${Math.round(endMs)}${quotePart(quote)}`;

/** A web page: host and path, with percent-encoded colons; the full address is in the citation's record. */
export const webCitation = (location: string, quote?: string) =>
  `web_citation:${location.replaceAll("%", "%25").replaceAll(":", "%3A")}${quotePart(quote)}`;

/** A deck that supports an answer. */
export const flashcardCitation = (componentId: string, quote?: string) =>
  `flashcard_citation:${componentId}${quotePart(quote)}`;

export type Citation =
  | { type: "pdf_citation"; componentId: string; page: number; quote: string | null }
  | { type: "page_citation"; pageId: string; componentId: string; quote: string | null }
  | { type: "video_citation"; componentId: string; startMs: number; endMs: number; quote: string | null }
  | { type: "web_citation"; location: string; quote: string | null }
  | { type: "flashcard_citation"; componentId: string; quote: string | null };

function decode(part: string | undefined): string | null {
  if (part === undefined || part === "") return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

const readers: Record<Citation["type"], (parts: readonly string[]) => Citation | undefined> = {
  pdf_citation([componentId = "", second = "", quoted]) {
    const page = Number(second);
    if (componentId === "" || !Number.isSafeInteger(page) || page < 1) return undefined;
    return { type: "pdf_citation", componentId, page, quote: decode(quoted) };
  },
  page_citation([pageId = "", componentId = "", quoted]) {
    if (pageId === "" || componentId === "") return undefined;
    return { type: "page_citation", pageId, componentId, quote: decode(quoted) };
  },
  video_citation([componentId = "", span = "", quoted]) {
    const times = /^(\d{1,10})-(\d{1,10})$/.exec(span);
    if (componentId === "" || !times) return undefined;
    const [startMs, endMs] = [Number(times[1]), Number(times[2])];
    return endMs < startMs ? undefined : { type: "video_citation", componentId, startMs, endMs, quote: decode(quoted) };
  },
  web_citation([location = "", quoted]) {
    const read = decode(location);
    return read === null ? undefined : { type: "web_citation", location: read, quote: decode(quoted) };
  },
  flashcard_citation([componentId = "", quoted]) {
    return componentId === "" ? undefined : { type: "flashcard_citation", componentId, quote: decode(quoted) };
  },
};

/** Parses a citation string; undefined if this version cannot read it. */
export function parseCitation(text: string): Citation | undefined {
  const [type = "", ...parts] = text.split(":");
  return Object.hasOwn(readers, type) ? readers[type as Citation["type"]](parts) : undefined;
}

/**
 * The in-app address of a citation, with what to highlight in the query: `page` and `quote` for a document, `t`
 * (seconds) and `quote` for a video, `component` and `quote` for a page of notes. Undefined for a web page, and for a
 * deck, whose page is not in the citation.
 */
export function citationAddress(citation: Citation): string | undefined {
  const query = new URLSearchParams();
  if (citation.type === "pdf_citation") query.set("page", String(citation.page));
  if (citation.type === "video_citation") query.set("t", String(Math.floor(citation.startMs / 1000)));
  if (citation.type === "page_citation") query.set("component", citation.componentId);
  if (citation.quote !== null) query.set("quote", citation.quote);
  const location = citationPath(citation);
  return location === undefined ? undefined : `${location}?${query}`;
}

function citationPath(citation: Citation): string | undefined {
  switch (citation.type) {
    case "pdf_citation":
      return screenPath("pdf", { slug: citation.componentId });
    case "video_citation":
      return screenPath("video", { slug: citation.componentId });
    case "page_citation":
      return screenPath("page", { id: citation.pageId });
    case "web_citation":
    case "flashcard_citation":
      return undefined;
    default:
      return citation satisfies never;
  }
}

/** The component that a stored citation points to; undefined for a web page or an unreadable citation. */
export function citedComponentId(stored: string | null): string | undefined {
  const citation = stored === null ? undefined : parseCitation(stored);
  return citation && "componentId" in citation ? citation.componentId : undefined;
}
