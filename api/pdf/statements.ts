import { z } from "zod";
import { findExactQuote } from "#shared/text/quotes.ts";
import { centralSentences } from "#shared/text/summary.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { Statement } from "#shared/pdf/analysis.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { chunkPassages, countWords } from "#api/ai/chunks.ts";
import { isTranslation } from "#api/ai/openai/hosted-gates.ts";
import type { Model } from "#api/ai/port.ts";
import { buildSummaryPrompt } from "#api/ai/prompts/summary.ts";
import { writeObjects } from "#api/ai/openai/write-objects.ts";

/** A stored statement has no citation: several components may share the content, so it is added on request. */
export type StoredStatement = Omit<Statement, "citation">;

export interface SummaryOptions {
  language: string | undefined;
  instructions: string | undefined;
}

interface StatementRequest {
  passages: readonly Passage[];
  options: SummaryOptions;
  /** How many of the statements are key points. */
  keyPointCount: number;
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
const MIN_SHARED_TERMS = 0.34;
const MAX_CHARS = 500;

const statementCountFor = (passages: readonly Passage[]) => {
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  return Math.min(MAX_STATEMENTS, Math.ceil(words / WORDS_PER_STATEMENT));
};

/** Extractive summary: the document's central sentences, each its own quote. */
export function quotedStatements({
  passages,
  options,
  keyPointCount,
}: Omit<StatementRequest, "signal">): StoredStatement[] {
  const sentences = centralSentences(passages, statementCountFor(passages), options.instructions);
  const byScore = sentences.toSorted((a, b) => b.score - a.score);
  const isKey = new Set(byScore.slice(0, keyPointCount));
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
export async function writeStatements(model: Model, request: StatementRequest): Promise<StoredStatement[]> {
  const found: StoredStatement[] = [];
  for (const { pieces, passages } of chunkPassages(request.passages, MAX_REQUEST_CHARS)) {
    for await (const statement of streamStatements(model, { ...request, passages }, pieces)) found.push(statement);
  }
  const keys = new Set(found.filter(({ isKey }) => isKey).slice(0, request.keyPointCount));
  return found.map((statement) => ({ ...statement, isKey: keys.has(statement) }));
}

async function* streamStatements(
  model: Model,
  { passages, options, ownerId, signal }: StatementRequest,
  pieces: readonly { id: string; text: string }[],
): AsyncGenerator<StoredStatement> {
  const count = Math.max(1, statementCountFor(passages));
  const source = { passages, isTranslated: isTranslation(passages, options.language) };
  const seenTexts = new Set<string>();
  const objects = writeObjects(model, {
    ...buildSummaryPrompt({ passages: pieces, count, ...options }),
    schema: Written,
    validate: (written) => {
      const statement = validateStatement(written, source);
      if (!statement) return "no statement of it is borne out by a quote that stands in the passages word for word";
      return seenTexts.has(statement.text) ? "it says the same twice" : undefined;
    },
    maxObjects: count,
    maxTokens: count * TOKENS_PER_STATEMENT + 300,
    ownerId,
    signal,
  });
  for await (const written of objects) {
    const statement = validateStatement(written, source);
    if (!statement) continue;
    seenTexts.add(statement.text);
    yield statement;
  }
}

const numbersOf = (text: string) => text.match(/\d+/g) ?? [];

/** Links and markup that the quote does not contain may come from a prompt injection in the document. */
const LINK_OR_MARKUP = /https?:\/\/\S+|www\.\S+|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/giu;

/** The validated statement with the document's wording; undefined if the quote does not support it. */
function validateStatement(
  written: Written,
  source: { passages: readonly Passage[]; isTranslated: boolean },
): StoredStatement | undefined {
  const text = written.statement.replaceAll(/\s+/gu, " ").trim();
  if (text === "" || text.length > MAX_CHARS) return undefined;
  const found = source.passages.flatMap((passage) => {
    const position = findExactQuote([passage], written.quote);
    return position ? [{ quote: passage.text.slice(position.start, position.end), page: position.page ?? 1 }] : [];
  })[0];
  if (!found) return undefined;
  if ((text.match(LINK_OR_MARKUP) ?? []).some((match) => !found.quote.includes(match))) return undefined;
  const numbers = new Set(numbersOf(found.quote));
  if (numbersOf(text).some((number) => !numbers.has(number))) return undefined;
  if (!source.isTranslated && sharedTermShare(found.quote, text) < MIN_SHARED_TERMS) return undefined;
  return { text, ...found, isKey: written.key === true || written.key === "true" };
}

function sharedTermShare(quote: string, text: string): number {
  const terms = new Set(searchTerms(text));
  if (terms.size === 0) return 0;
  const quoteTerms = new Set(searchTerms(quote));
  return [...terms].filter((term) => quoteTerms.has(term)).length / terms.size;
}
