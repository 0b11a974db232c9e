import { z } from "zod";
import { findQuote } from "#shared/engine/quotes.ts";
import { centralSentences } from "#shared/engine/summary.ts";
import { searchTerms } from "#shared/engine/search-terms.ts";
import type { Statement } from "#shared/pdf/analysis.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { chunkPassages, countWords } from "#api/ai/chunks.ts";
import { isTranslation } from "#api/ai/openai/hosted-gates.ts";
import type { Model } from "#api/ai/port.ts";
import { summaryPrompt } from "#api/ai/prompts/summary.ts";
import { writeObjects } from "#api/ai/openai/writing.ts";

/** As stored, without citation: several components may share the content, so the citation is added on request. */
export type KeptStatement = Omit<Statement, "citation">;

export interface Wishes {
  language: string | undefined;
  instructions: string | undefined;
}

interface StatementRequest {
  passages: readonly Passage[];
  wishes: Wishes;
  /** How many of the statements are key points. */
  keyCount: number;
  /** For the prompt log. */
  ownerId: string;
  signal: AbortSignal;
}

const MAX_STATEMENTS = 5;
const WORDS_PER_STATEMENT = 120;
/** About the context size of a small model, with room for its answer. */
const MAX_REQUEST_CHARS = 16_000;
const TOKENS_PER_STATEMENT = 160;
/** Least share of a statement's terms that must occur in its quote. */
const MIN_SHARED = 0.34;
const MAX_CHARS = 500;

const countFor = (passages: readonly Passage[]) => {
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  return Math.min(MAX_STATEMENTS, Math.ceil(words / WORDS_PER_STATEMENT));
};

/** Extractive summary: the document's central sentences, each its own quote. */
export function quotedStatements({ passages, wishes, keyCount }: Omit<StatementRequest, "signal">): KeptStatement[] {
  const sentences = centralSentences(passages, countFor(passages), wishes.instructions);
  const byWorth = sentences.toSorted((a, b) => b.score - a.score);
  const isKey = new Set(byWorth.slice(0, keyCount));
  return sentences.map((sentence) => {
    const { text, page = 1 } = sentence;
    return { text, quote: text, page, isKey: isKey.has(sentence) };
  });
}

const Written = z.object({
  statement: z.string().min(1).max(2000),
  quote: z.string().min(1).max(4000),
  key: z.union([z.boolean(), z.string()]).optional(),
});
type Written = z.infer<typeof Written>;

/** Statements by a model, limited to those that their quotes support; empty if none is valid. */
export async function modelStatements(model: Model, request: StatementRequest): Promise<KeptStatement[]> {
  const found: KeptStatement[] = [];
  for (const { pieces, passages } of chunkPassages(request.passages, MAX_REQUEST_CHARS)) {
    for await (const statement of statementsAbout(model, { ...request, passages }, pieces)) found.push(statement);
  }
  let left = request.keyCount;
  return found.map((statement) => ({ ...statement, isKey: statement.isKey && left-- > 0 }));
}

async function* statementsAbout(
  model: Model,
  { passages, wishes, ownerId, signal }: StatementRequest,
  pieces: readonly { id: string; text: string }[],
): AsyncGenerator<KeptStatement> {
  const count = Math.max(1, countFor(passages));
  const source = { passages, isTranslated: isTranslation(passages, wishes.language) };
  const said = new Set<string>();
  const objects = writeObjects(model, {
    ...summaryPrompt({ passages: pieces, count, ...wishes }),
    form: Written,
    faultOf: (written) => {
      const statement = checked(written, source);
      if (!statement) return "no statement of it is borne out by a quote that stands in the passages word for word";
      return said.has(statement.text) ? "it says the same twice" : undefined;
    },
    atMost: count,
    maxTokens: count * TOKENS_PER_STATEMENT + 300,
    ownerId,
    signal,
  });
  for await (const written of objects) {
    const statement = checked(written, source);
    if (!statement) continue;
    said.add(statement.text);
    yield statement;
  }
}

const numbersOf = (text: string) => text.match(/\d+/g) ?? [];

/** Links and markup that the quote does not contain may come from a prompt injection in the document. */
const foreignMarks = /https?:\/\/\S+|www\.\S+|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/giu;

/** The validated statement with the document's wording; undefined if the quote does not support it. */
function checked(
  written: Written,
  source: { passages: readonly Passage[]; isTranslated: boolean },
): KeptStatement | undefined {
  const text = written.statement.replaceAll(/\s+/gu, " ").trim();
  if (text === "" || text.length > MAX_CHARS) return undefined;
  const found = source.passages.flatMap((passage) => {
    const place = findQuote([passage], written.quote);
    return place ? [{ quote: passage.text.slice(place.start, place.end), page: place.page ?? 1 }] : [];
  })[0];
  if (!found) return undefined;
  if ((text.match(foreignMarks) ?? []).some((mark) => !found.quote.includes(mark))) return undefined;
  const numbers = new Set(numbersOf(found.quote));
  if (numbersOf(text).some((number) => !numbers.has(number))) return undefined;
  if (!source.isTranslated && sharedWith(found.quote, text) < MIN_SHARED) return undefined;
  return { text, ...found, isKey: written.key === true || written.key === "true" };
}

function sharedWith(quote: string, text: string): number {
  const terms = new Set(searchTerms(text));
  if (terms.size === 0) return 0;
  const known = new Set(searchTerms(quote));
  return [...terms].filter((term) => known.has(term)).length / terms.size;
}
