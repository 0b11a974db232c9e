import { setImmediate as breathe } from "node:timers/promises";
import { Failure } from "#shared/contract/failure.ts";
import { headingWriter } from "#shared/text/capitals.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { pageCitation, pdfCitation, videoCitation } from "#shared/citations.ts";
import type { Reason } from "#shared/messages/reasons.ts";
import { errorOf, reasonOf } from "./source-errors.ts";
import type { DeckSource, FileProcessed, GenerationOptions } from "#shared/flashcards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { timesOfPassage } from "#shared/video/passages.ts";
import type { ProposedCard } from "#api/ai/port.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { readPassagesWithOcr } from "#api/pdf/service.ts";
import { readTranscriptPassages } from "#api/video/service.ts";
import type { Source } from "./generation.ts";
import { findSourceText } from "./store.ts";

/** All sources of a generation read as one, because they share the density. */
export interface ReadSources {
  passages: Passage[];
  /** One for each source; null for a source that was read. */
  faults: (Reason | null)[];
}

/** Yield to other requests after this much text. */
const SLICE_CHARS = 100_000;

async function splitIntoPassages(text: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + SLICE_CHARS;
    const paragraphEnd = end < text.length ? text.lastIndexOf("\n\n", end) : text.length;
    const to = paragraphEnd > from ? paragraphEnd : Math.min(end, text.length);
    const base = passages.length;
    for (const [index, passage] of passagesFromText(text.slice(from, to)).entries())
      passages.push({ ...passage, id: String(base + index) });
    from = to;
    await breathe();
  }
  return passages;
}

type SourceReadContext = Pick<Deps, "blobs" | "clock" | "log" | "settings"> & {
  own: Own;
  /** OCR takes seconds per page, so cancelling the generation stops it. */
  signal: AbortSignal;
};

async function readPassages(reader: SourceReadContext, source: Source): Promise<Passage[]> {
  if (source.kind === "text") return splitIntoPassages((await findSourceText(reader.own, source.textId)) ?? "");
  if (source.kind === "video") return readTranscriptPassages(reader, source.componentId);
  const { fileId, from, to } = source;
  return (await readPassagesWithOcr(reader, fileId, { from, to, signal: reader.signal })).passages;
}

/** Reads the sources in order; an unreadable one does not affect the others. */
export async function readSources(reader: SourceReadContext, sources: readonly Source[]): Promise<ReadSources> {
  const read: ReadSources = { passages: [], faults: [] };
  for (const [index, source] of sources.entries()) {
    try {
      const passages = await readPassages(reader, source);
      if (sources.length > 1) read.passages.push(sourceBoundary(index));
      for (const passage of passages) read.passages.push({ ...passage, id: `${index}/${passage.id}` });
      read.faults.push(passages.some((p) => p.text.trim() !== "") ? null : { reason: "source_empty" });
    } catch (error) {
      reader.signal.throwIfAborted();
      if (!(error instanceof Failure)) reader.log.error({ err: error }, "a source of a generation could not be read");
      read.faults.push(error instanceof Failure ? reasonOf(error) : { reason: "no_cards_made" });
    }
  }
  return read;
}

/**
 * An empty heading between sources, because a heading or reference list of one source must not carry over to the next.
 * It has no text, so no card can quote it.
 */
const sourceBoundary = (index: number): Passage => ({
  id: `${index}/`,
  text: "",
  kind: "heading",
  level: 1,
  bold: [],
  italic: [],
  locator: {},
});

export const sourceIndexOf = (passageId: string) => Number(passageId.split("/")[0]);

const MAX_SECTION_CHARS = 120;

/** The headings above each passage, the nearest first, by passage id; passages without one are left out. */
export function headingsByPassage(passages: readonly Passage[]): ReadonlyMap<string, readonly string[]> {
  const headings = new Map<string, readonly string[]>();
  const writeHeading = headingWriter(passages);
  let path: { text: string; level: number }[] = [];
  let names: readonly string[] = [];
  for (const { id, kind, text, level = 6 } of passages) {
    if (kind === "heading") {
      path = [
        { text: writeHeading(text.replaceAll(/\s+/g, " ").trim()), level },
        ...path.filter((heading) => heading.level < level),
      ];
      names = path.map((heading) => heading.text).filter((name) => name !== "" && name.length <= MAX_SECTION_CHARS);
    }
    if (names.length > 0) headings.set(id, names);
  }
  return headings;
}

/** Cites the passage that supports a card. Text without a component is cited at the target deck. */
export function citationOfCard(card: ProposedCard, source: Source, { target }: GenerationOptions): string {
  if (source.kind === "pdf") return pdfCitation(source.componentId, card.page ?? source.from, card.quote);
  if (source.kind === "video") {
    const { startMs, endMs } = timesOfPassage(card.passageId) ?? { startMs: 0, endMs: 0 };
    return videoCitation(source.componentId, startMs, endMs, card.quote);
  }
  const location = source.place ?? target ?? { pageId: "unsaved", componentId: "unsaved" };
  return pageCitation(location.pageId, location.componentId, card.quote);
}

/** The part of a source that is stored with the deck, so that more cards can be generated from the source. */
export function toDeckSource(source: Source): DeckSource {
  const { name, kind } = source;
  if (source.kind === "pdf") return { name, kind, componentId: source.componentId, from: source.from, to: source.to };
  const componentId = source.kind === "video" ? source.componentId : (source.place?.componentId ?? null);
  return { name, kind, componentId, from: null, to: null };
}

/** The outcome of each source: refused, unreadable, without a card, or successful. */
export function reportSources(
  sources: readonly Source[],
  faults: readonly (Reason | null)[],
  cardCounts: ReadonlyMap<number, number>,
): FileProcessed[] {
  return sources.map(({ name }, index) => {
    const fault = faults[index] ?? null;
    const count = cardCounts.get(index) ?? 0;
    const reason: Reason | null = fault ?? (count === 0 ? { reason: "no_fact_found" } : null);
    return { source: name, success: count > 0, ...errorOf(reason ? [reason] : []), openPlanModal: false };
  });
}
