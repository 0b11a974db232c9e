import { findExactQuote } from "#shared/text/quotes.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { citationMarker, CitationMarkerParser, type ModelOutput } from "#shared/tutor/citation-markers.ts";
import { appendParts, textOfParts } from "#shared/tutor/message-parts.ts";
import type { AnswerCitation, MessagePart } from "#shared/tutor/schema.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import type { Hit } from "#api/store/search/port.ts";
import { citePassage, type Source } from "#api/library/sources.ts";
import { type LiveEvent, restart } from "../live-answers.ts";

/** A retrieved passage with its source. */
export interface RetrievedPassage extends Omit<Hit, "sourceId"> {
  source: Source;
  /** The context window in which it was found, if known. */
  contextText?: string;
}

/** Short position of a passage in its source: a time or a page. */
export function describePosition({
  source,
  passage: { locator },
}: Pick<RetrievedPassage, "source" | "passage">): string {
  if (source.kind === "video" && locator.startMs !== undefined) return formatTimecode(locator.startMs);
  return source.kind === "file" && locator.page !== undefined ? `p. ${locator.page}` : "";
}

/** The citation for a verified quote. */
export function citationOf(hit: RetrievedPassage, quote: string): Omit<AnswerCitation, "n"> {
  const { source, passage } = hit;
  const title = source.title || "Untitled";
  return {
    citation: citePassage(source, passage, quote),
    quote,
    passage: passage.text,
    title,
    place: describePosition(hit),
  };
}

const toPassage = ({ passage }: RetrievedPassage): Passage => ({ ...passage, bold: [], italic: [] });

/** Finds the quote in the passage that it is attributed to, otherwise in any other passage. */
function locateQuote(hits: readonly RetrievedPassage[], claimed: number, quote: string) {
  const attributed = hits[claimed - 1];
  for (const hit of [...(attributed ? [attributed] : []), ...hits]) {
    const position = findExactQuote([toPassage(hit)], quote);
    if (position) return { hit, quote: hit.passage.text.slice(position.start, position.end) };
  }
  return undefined;
}

/** A citation marker without a quote needs this share of the last sentence's terms in one sentence of the passage. */
const MIN_SHARED_TERMS = 0.5;

function locateStatement(hit: RetrievedPassage | undefined, statement: string) {
  const last = splitSentences(statement).at(-1)?.text ?? "";
  const statementTerms = new Set(searchTerms(last));
  if (!hit || statementTerms.size < 3) return undefined;
  let best: { quote: string; share: number } | undefined;
  for (const { text } of splitSentences(hit.passage.text)) {
    const terms = new Set(searchTerms(text));
    const share = [...statementTerms].filter((term) => terms.has(term)).length / statementTerms.size;
    if (share >= MIN_SHARED_TERMS && share > (best?.share ?? 0)) best = { quote: text, share };
  }
  return best ? { hit, quote: best.quote } : undefined;
}

/** An answer while it is written. Emits only text and verified citations. */
export class AnswerBuilder {
  text = "";
  /** The text as parts: texts, phrases and citations. */
  parts: MessagePart[] = [];
  readonly citations: AnswerCitation[] = [];
  /** The passage behind each citation, by its number. */
  readonly #hitByNumber = new Map<number, RetrievedPassage>();
  #reader = new CitationMarkerParser();
  readonly #hits: readonly RetrievedPassage[];
  readonly #emit: (event: LiveEvent) => void;
  /** Citation markers that were shown, and those that no passage confirmed. */
  verified = 0;
  dropped = 0;

  constructor(hits: readonly RetrievedPassage[], emit: (event: LiveEvent) => void) {
    this.#hits = hits;
    this.#emit = emit;
  }

  /** Discards everything written so far. */
  restart(): void {
    this.text = "";
    this.parts = [];
    this.citations.length = 0;
    this.#hitByNumber.clear();
    this.#reader = new CitationMarkerParser();
    this.verified = 0;
    this.dropped = 0;
    this.#emit(restart);
  }

  /** Appends texts and phrases that are not from a model. */
  write(...added: readonly (string | MessagePart)[]): void {
    const parts = added.map((part): MessagePart => (typeof part === "string" ? { type: "text", text: part } : part));
    const text = textOfParts(parts);
    if (text === "") return;
    const at = this.text.length;
    this.text += text;
    this.parts = appendParts(this.parts, parts);
    const isPlain = parts.every(({ type }) => type === "text");
    this.#emit({ type: "text", at, text, ...(!isPlain && { parts }) });
  }

  /** Appends model output with its citation markers. */
  push(piece: string): void {
    for (const written of this.#reader.push(piece)) this.#handleWritten(written);
  }

  end(): void {
    for (const written of this.#reader.end()) this.#handleWritten(written);
  }

  /** Adds a citation marker for a quote of a passage. */
  citeIn(hit: RetrievedPassage, quote: string): void {
    this.verified += 1;
    this.#hitByNumber.set(this.cite(citationOf(hit, quote)), hit);
  }

  /** The citations, with passages replaced by what `read` returns. */
  withContext(read: (hit: RetrievedPassage) => Promise<string>): Promise<AnswerCitation[]> {
    const widened = this.citations.map(async (citation) => {
      const hit = this.#hitByNumber.get(citation.n);
      return hit ? { ...citation, passage: await read(hit) } : citation;
    });
    return Promise.all(widened);
  }

  /** Adds a citation marker; an identical citation keeps its number. */
  cite(citation: Omit<AnswerCitation, "n">): number {
    const existing = this.citations.find((other) => other.citation === citation.citation);
    if (existing) {
      this.#writeMarker(existing.n);
      return existing.n;
    }
    const numbered = { n: this.citations.length + 1, ...citation };
    this.citations.push(numbered);
    this.#emit({ type: "citation", citation: numbered });
    this.#writeMarker(numbered.n);
    return numbered.n;
  }

  #writeMarker(n: number): void {
    const marker = citationMarker(n);
    if (this.text.endsWith(marker)) return;
    const citation = { type: "citation", n } as const;
    if (/\s$/.test(this.text)) this.write(citation);
    else this.write(" ", citation);
  }

  #handleWritten(written: ModelOutput): void {
    if (written.type === "text") {
      this.write(written.text);
      return;
    }
    const { passage, quote } = written;
    const found =
      quote === "" ? locateStatement(this.#hits[passage - 1], this.text) : locateQuote(this.#hits, passage, quote);
    if (found) this.citeIn(found.hit, found.quote);
    else this.dropped += 1;
  }
}
