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

/** As it is kept: the same content may lie under several components, so that who asks adds the citation. */
export type KeptStatement = Omit<Statement, "citation">;

export interface Wishes {
  language: string | undefined;
  instructions: string | undefined;
}

interface StatementRequest {
  passages: readonly Passage[];
  wishes: Wishes;
  /** How many statements are key ones. */
  keyCount: number;
  /** Whose request it is, for the log of prompts. */
  ownerId: string;
  signal: AbortSignal;
}

const MAX_STATEMENTS = 5;
const WORDS_PER_STATEMENT = 120;
/** About what a small model reads at once, with room for its answer. */
const MAX_REQUEST_CHARS = 16_000;
const TOKENS_PER_STATEMENT = 160;
/** A statement says what its quote says: so much of its words stands there. */
const MIN_SHARED = 0.34;
const MAX_CHARS = 500;

const countFor = (passages: readonly Passage[]) => {
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  return Math.min(MAX_STATEMENTS, Math.ceil(words / WORDS_PER_STATEMENT));
};

/** What the document's own sentences say of it: each is its own quote. */
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

/** What a model says of the passages, as far as its quotes bear it out; nothing where it says nothing of use. */
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

/** Addresses and markup that the quote does not hold: text planted in a document could ask for them. */
const foreignMarks = /https?:\/\/\S+|www\.\S+|!?\[[^\]]*\]\([^)]*\)|<\/?[a-z][^>]*>/giu;

/** The statement as it may be shown, with the words of the document; undefined where they do not bear it out. */
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
