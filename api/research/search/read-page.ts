import type { SnapshotPassage } from "#shared/research/schema.ts";
import type { DocumentKind } from "#shared/pdf/document-kinds.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { DocumentUnreadableError, readDocument } from "#api/documents/document-reader.ts";
import { findEncoding } from "#api/outside/page-encoding.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import { SearchError } from "./port.ts";

/** Maximum number of pages read of a document. */
const MAX_PAGES = 60;
const MAX_PASSAGES = 1500;
const MAX_PAGE_BYTES = 10 * 1024 * 1024;
/** The reader splits longer paragraphs at line ends; a line that is still longer is cut. */
const MAX_PASSAGE_CHARS = 4000;

const kinds: Readonly<Record<string, Exclude<DocumentKind, "image">>> = {
  "application/pdf": "pdf",
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/plain": "text",
  "text/markdown": "text",
};

function kindOfContent(type: string, bytes: Uint8Array): Exclude<DocumentKind, "image"> | undefined {
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return "pdf";
  const kind = kinds[type];
  return kind === "pdf" ? undefined : kind;
}

const isBody = ({ kind, text }: Passage) => kind !== "heading" && kind !== "running_head" && text.trim() !== "";

const toSnapshotPassage = ({ id, text, locator }: Passage, hasPages: boolean): SnapshotPassage => ({
  id,
  text: text.slice(0, MAX_PASSAGE_CHARS),
  page: hasPages ? (locator.page ?? null) : null,
  heading: locator.heading ?? null,
  startMs: null,
});

/** Converts a text from its labelled encoding to UTF-8. Without a label, the reader detects the encoding. */
function toUtf8(contentType: string, bytes: Uint8Array): Uint8Array {
  const encoding = findEncoding(contentType, bytes);
  return encoding === undefined || encoding === "utf-8"
    ? bytes
    : new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}

/** Fetches a page and reads it in a confined process. Throws `SearchError`. */
export async function readWebPage(http: PoliteFetch, url: string, signal: AbortSignal): Promise<SnapshotPassage[]> {
  const { response, bytes } = await http.get(url, { signal, maxBytes: MAX_PAGE_BYTES });
  const kind = kindOfContent(response.type, bytes);
  if (kind === undefined) throw new SearchError("unreadable");
  const passages: SnapshotPassage[] = [];
  try {
    const text = kind === "pdf" ? bytes : toUtf8(response.header("content-type") ?? "", bytes);
    for await (const page of readDocument(kind, text, { pages: [1, MAX_PAGES], signal })) {
      passages.push(...page.passages.filter(isBody).map((passage) => toSnapshotPassage(passage, kind === "pdf")));
      if (passages.length >= MAX_PASSAGES) break;
    }
  } catch (error) {
    if (signal.aborted) throw new SearchError("stopped");
    if (error instanceof DocumentUnreadableError) throw new SearchError("unreadable");
    throw error;
  }
  if (passages.length === 0) throw new SearchError("unreadable");
  return passages.slice(0, MAX_PASSAGES);
}

const WIKI_HEADING = /^=+\s*(.+?)\s*=+$/;

/** Splits plain text into one passage for each paragraph. Headings in wiki text become the headings of the passages. */
export function passagesOfText(text: string): SnapshotPassage[] {
  let heading: string | null = null;
  const passages: SnapshotPassage[] = [];
  for (const line of text.split(/\n+/).map((part) => part.trim())) {
    if (line === "") continue;
    const named = WIKI_HEADING.exec(line)?.[1];
    if (named !== undefined) {
      heading = named;
      continue;
    }
    passages.push({
      id: `p${passages.length}`,
      text: line.slice(0, MAX_PASSAGE_CHARS),
      page: null,
      heading,
      startMs: null,
    });
    if (passages.length >= MAX_PASSAGES) break;
  }
  return passages;
}
