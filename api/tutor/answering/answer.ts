import { findQuote } from "#shared/engine/quotes.ts";
import { splitSentences } from "#shared/engine/sentences.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { markOf, MarkReader, type Written } from "#shared/tutor/marks.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { clockOf } from "#shared/video/rules.ts";
import type { Hit } from "#api/store/search/port.ts";
import { citeIn, type Source } from "#api/library/service.ts";
import type { LiveEvent } from "../live.ts";

/** A retrieved passage with its source. */
export interface Ground extends Omit<Hit, "sourceId"> {
  source: Source;
  /** The context window in which it was found, if known. */
  around?: string;
}

/** Short position of a passage in its source: a time or a page. */
export function placeOf({ source, passage: { locator } }: Pick<Ground, "source" | "passage">): string {
  if (source.kind === "video" && locator.startMs !== undefined) return clockOf(locator.startMs);
  return source.kind === "file" && locator.page !== undefined ? `p. ${locator.page}` : "";
}

/** The citation for a verified quote. */
export function citationOf(ground: Ground, quote: string): Omit<AnswerCitation, "n"> {
  const { source, passage } = ground;
  const title = source.title || "Untitled";
  return { citation: citeIn(source, passage, quote), quote, passage: passage.text, title, place: placeOf(ground) };
}

const asPassage = ({ passage }: Ground): Passage => ({ ...passage, bold: [], italic: [] });

/** Finds the quote in the passage it is attributed to, else in the others. */
function findGround(grounds: readonly Ground[], claimed: number, quote: string) {
  const first = grounds[claimed - 1];
  for (const ground of [...(first ? [first] : []), ...grounds]) {
    const place = findQuote([asPassage(ground)], quote);
    if (place) return { ground, quote: ground.passage.text.slice(place.start, place.end) };
  }
  return undefined;
}

/** A citation marker without a quote needs this share of the last sentence's terms in one sentence of the passage. */
const MIN_SHARED = 0.5;

function findSaid(ground: Ground | undefined, said: string) {
  const last = splitSentences(said).at(-1)?.text ?? "";
  const wanted = new Set(searchTerms(last));
  if (!ground || wanted.size < 3) return undefined;
  let best: { quote: string; share: number } | undefined;
  for (const { text } of splitSentences(ground.passage.text)) {
    const terms = new Set(searchTerms(text));
    const share = [...wanted].filter((term) => terms.has(term)).length / wanted.size;
    if (share >= MIN_SHARED && share > (best?.share ?? 0)) best = { quote: text, share };
  }
  return best ? { ground, quote: best.quote } : undefined;
}

/** An answer while it is written. Emits only text and verified citations. */
export class GrowingAnswer {
  text = "";
  readonly citations: AnswerCitation[] = [];
  /** The passage behind each citation, by its number. */
  readonly #standing = new Map<number, Ground>();
  #reader = new MarkReader();
  readonly #grounds: readonly Ground[];
  readonly #tell: (event: LiveEvent) => void;
  /** Number of unverified citations, for the log. */
  dropped = 0;

  constructor(grounds: readonly Ground[], tell: (event: LiveEvent) => void) {
    this.#grounds = grounds;
    this.#tell = tell;
  }

  /** Discards everything written so far. */
  restart(): void {
    this.text = "";
    this.citations.length = 0;
    this.#standing.clear();
    this.#reader = new MarkReader();
    this.#tell({ type: "text", at: 0, text: "" });
  }

  /** Appends text that is not from a model. */
  write(text: string): void {
    if (text === "") return;
    const at = this.text.length;
    this.text += text;
    this.#tell({ type: "text", at, text });
  }

  /** Appends model output with its citation markers. */
  push(piece: string): void {
    for (const written of this.#reader.push(piece)) this.#take(written);
  }

  end(): void {
    for (const written of this.#reader.end()) this.#take(written);
  }

  /** Adds a citation marker for a quote of a passage. */
  citeIn(ground: Ground, quote: string): void {
    this.#standing.set(this.cite(citationOf(ground, quote)), ground);
  }

  /** The citations, with passages replaced by what `read` returns. */
  widened(read: (ground: Ground) => Promise<string>): Promise<AnswerCitation[]> {
    const wide = this.citations.map(async (cited) => {
      const ground = this.#standing.get(cited.n);
      return ground ? { ...cited, passage: await read(ground) } : cited;
    });
    return Promise.all(wide);
  }

  /** Adds a citation marker; an identical citation keeps its number. */
  cite(citation: Omit<AnswerCitation, "n">): number {
    const known = this.citations.find((other) => other.citation === citation.citation);
    if (known) {
      this.#mark(known.n);
      return known.n;
    }
    const made = { n: this.citations.length + 1, ...citation };
    this.citations.push(made);
    this.#tell({ type: "citation", citation: made });
    this.#mark(made.n);
    return made.n;
  }

  #mark(n: number): void {
    const mark = markOf(n);
    if (!this.text.endsWith(mark)) this.write(`${/\s$/.test(this.text) ? "" : " "}${mark}`);
  }

  #take(written: Written): void {
    if (written.type === "text") {
      this.write(written.text);
      return;
    }
    const { passage, quote } = written;
    const found =
      quote === "" ? findSaid(this.#grounds[passage - 1], this.text) : findGround(this.#grounds, passage, quote);
    if (found) this.citeIn(found.ground, found.quote);
    else this.dropped += 1;
  }
}
