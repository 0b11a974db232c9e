import { webCitation } from "#shared/citations.ts";
import type { CanvasSentence } from "#shared/research/schema.ts";
import type { Own } from "#api/store/owned-store.ts";
import { type ContentDoc, findResearchContent } from "./store.ts";

/** A verified sentence of a canvas, with the first source that supports it. */
export interface CitedSentence {
  text: string;
  /** Number of the source in the ledger, whose snapshot contains the quote. */
  source: number;
  quote: string;
  /** The citation of a library source, or the address of a web page. */
  citation: string;
}

/** Sentences that are together in a source. */
interface CitedParagraph {
  /** Their heading in the source. */
  heading: string | undefined;
  sentences: CitedSentence[];
}

export interface CitedSection {
  /** What the student asked; undefined above findings that the student did not ask for. */
  question: string | undefined;
  paragraphs: CitedParagraph[];
}

function locationOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : undefined;
}

function cite({ text, cites, isSupported }: CanvasSentence, { citations, sources }: ContentDoc): CitedSentence[] {
  const cited = isSupported ? citations.find(({ n }) => n === cites[0]) : undefined;
  const source = cited && sources.find(({ n }) => n === cited.source);
  if (!cited || !source) return [];
  const { quote } = cited;
  const location = source.url === null ? undefined : locationOf(source.url);
  const citation = cited.citation ?? (location === undefined ? undefined : webCitation(location, quote));
  return citation === undefined ? [] : [{ text, source: source.n, quote, citation }];
}

/** The sentences of a canvas that a source supports, by section. */
export async function listCitedSentences(own: Own, sessionId: string): Promise<CitedSection[]> {
  const content = await findResearchContent(own, sessionId);
  if (!content) return [];
  return content.sections.flatMap(({ heading, topic, status, paragraphs }) => {
    const cited = paragraphs.flatMap((paragraph): CitedParagraph[] => {
      const sentences = paragraph.flatMap((sentence) => cite(sentence, content));
      return sentences.length > 0 ? [{ heading: paragraph[0]?.heading, sentences }] : [];
    });
    const question = topic === null ? heading : undefined;
    return status === "written" && cited.length > 0 ? [{ question, paragraphs: cited }] : [];
  });
}
