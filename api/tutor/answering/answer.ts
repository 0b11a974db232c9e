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

/** A passage that an answer may stand on, with the source it is of. */
export interface Ground extends Omit<Hit, "sourceId"> {
  source: Source;
  /** The stretch of the source that it was found in, where that is known. */
  around?: string;
}

/** Where in its source a passage stands, in short. */
export function placeOf({ source, passage: { locator } }: Pick<Ground, "source" | "passage">): string {
  if (source.kind === "video" && locator.startMs !== undefined) return clockOf(locator.startMs);
  return source.kind === "file" && locator.page !== undefined ? `p. ${locator.page}` : "";
}

/** A quote that was found where it is said to stand, as the citation that is shown. */
export function citationOf(ground: Ground, quote: string): Omit<AnswerCitation, "n"> {
  const { source, passage } = ground;
  const title = source.title || "Untitled";
  return { citation: citeIn(source, passage, quote), quote, passage: passage.text, title, place: placeOf(ground) };
}

const asPassage = ({ passage }: Ground): Passage => ({ ...passage, bold: [], italic: [] });

/** Words that do not stand in the passage they were said to be of are looked for in the others. */
function findGround(grounds: readonly Ground[], claimed: number, quote: string) {
  const first = grounds[claimed - 1];
  for (const ground of [...(first ? [first] : []), ...grounds]) {
    const place = findQuote([asPassage(ground)], quote);
    if (place) return { ground, quote: ground.passage.text.slice(place.start, place.end) };
  }
  return undefined;
}

/** A mark without words is believed only where a sentence of the passage says what was just said. */
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

/** An answer as it grows. Only words, and citations that were checked, come out of it. */
export class GrowingAnswer {
  text = "";
  readonly citations: AnswerCitation[] = [];
  /** What each citation stands on, by its number. */
  readonly #standing = new Map<number, Ground>();
  #reader = new MarkReader();
  readonly #grounds: readonly Ground[];
  readonly #tell: (event: LiveEvent) => void;
  /** Claims that did not hold: how many, for the log. */
  dropped = 0;

  constructor(grounds: readonly Ground[], tell: (event: LiveEvent) => void) {
    this.#grounds = grounds;
    this.#tell = tell;
  }

  /** Takes back all that was said. */
  restart(): void {
    this.text = "";
    this.citations.length = 0;
    this.#standing.clear();
    this.#reader = new MarkReader();
    this.#tell({ type: "text", at: 0, text: "" });
  }

  /** Words of our own making. */
  write(text: string): void {
    if (text === "") return;
    const at = this.text.length;
    this.text += text;
    this.#tell({ type: "text", at, text });
  }

  /** What a model wrote, with its claims. */
  push(piece: string): void {
    for (const written of this.#reader.push(piece)) this.#take(written);
  }

  end(): void {
    for (const written of this.#reader.end()) this.#take(written);
  }

  /** A mark behind the words that a quote of the ground proves. */
  citeIn(ground: Ground, quote: string): void {
    this.#standing.set(this.cite(citationOf(ground, quote)), ground);
  }

  /** The citations with the passages that `read` gives for what they stand on. */
  widened(read: (ground: Ground) => Promise<string>): Promise<AnswerCitation[]> {
    const wide = this.citations.map(async (cited) => {
      const ground = this.#standing.get(cited.n);
      return ground ? { ...cited, passage: await read(ground) } : cited;
    });
    return Promise.all(wide);
  }

  /** A mark behind the words that the citation proves; the same citation has the same number. */
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
