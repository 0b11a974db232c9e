import type { Passage } from "#shared/pdf/schema.ts";
import { cleanSentence, isExample, pointsBack, refuseSentence } from "#shared/engine/cleaning.ts";
import { type Clause, readClause, textOf } from "#shared/engine/clauses.ts";
import { independentClauses } from "#shared/engine/second-facts.ts";
import { splitSentences } from "#shared/engine/sentences.ts";
import { tagSentence, type Token } from "#shared/engine/tagging.ts";
import { isGeneralWord, type MarkedTerm, type Term, TermIndex } from "#shared/engine/terms.ts";
import { contentStems, singular, wordsOf } from "#shared/engine/words.ts";

/** A sentence of the source, as it stood and as it was read. */
export interface Fact {
  passage: Passage;
  start: number;
  end: number;
  raw: string;
  /** Cleaned: what questions are made of. */
  text: string;
  tokens: Token[];
  clause: Clause | undefined;
  /** May stand on a card of its own. */
  isSound: boolean;
  /** Refused only because it leans on the sentence before. */
  isLeaning: boolean;
  isExample: boolean;
  /** Terms set off by the author within this sentence, as written. */
  marked: string[];
  /** The sentence before it in the same passage. */
  previous: Fact | undefined;
  order: number;
  /** The clauses of the sentence as facts of their own, when it has several. */
  parts: Fact[];
}

export interface Lexicon {
  terms: TermIndex;
  /** Words met in lower case within a sentence, and words met there with a capital. */
  lower: Set<string>;
  upper: Set<string>;
}

const MAX_FACTS_PER_PASSAGE = 400;

/** Sentences of one passage, tagged and judged. */
export function readFacts(passage: Passage, marked: readonly MarkedTerm[], firstOrder: number): Fact[] {
  const facts: Fact[] = [];
  const own = marked.filter((m) => m.passage === passage);
  for (const { text: raw, start, end } of splitSentences(passage.text).slice(0, MAX_FACTS_PER_PASSAGE)) {
    if (raw.length > 600) continue;
    const text = cleanSentence(raw);
    const fact: Fact = {
      passage,
      start,
      end,
      raw,
      text,
      ...judge(text),
      isExample: isExample(raw),
      marked: own.filter((m) => m.start >= start && m.end <= end + 1).map((m) => m.text),
      previous: facts.at(-1),
      order: firstOrder + facts.length,
      parts: [],
    };
    fact.parts = splitFact(fact);
    facts.push(fact);
  }
  return facts;
}

const IMPERATIVE =
  /^(?:notice|note|recall|consider|imagine|think|remember|suppose|observe|compare|see|look|visit|watch|explore|learn|try|explain|describe|discuss|identify|predict|calculate)\b(?! of)/i;

function judge(text: string): Pick<Fact, "tokens" | "clause" | "isSound" | "isLeaning"> {
  const refusal = refuseSentence(text);
  const isReadable = refusal !== "noise" && wordsOf(text).length > 2;
  const tokens = isReadable ? tagSentence(text) : [];
  const leans = refusal === "context" || pointsBack(text);
  const [first] = tokens;
  const isImperative =
    IMPERATIVE.test(text) || (first?.pos === "VERB" && !/(?:ing|ed)$/.test(first.lower) && first.lemma === first.lower);
  return {
    tokens,
    clause: isReadable ? readClause(tokens) : undefined,
    isSound: refusal === undefined && !leans && !isImperative,
    isLeaning: isReadable && leans && !isImperative && refusal !== "address",
  };
}

/** Each clause of a long sentence alone, so that a card asks one thing. */
function splitFact(fact: Fact): Fact[] {
  const ranges = independentClauses(fact.tokens);
  if (ranges.length < 2) return [];
  return ranges.flatMap(([from, to]) => {
    const tokens = fact.tokens.slice(from, to);
    const text = upperFirst(textOf(tokens, fact.text)).replace(/[\s.,;:]*$/, ".");
    const marked = fact.marked.filter((m) => text.toLowerCase().includes(m.toLowerCase()));
    return tokens.length < 5 ? [] : [{ ...fact, text, marked, ...judge(text), parts: [] }];
  });
}

export function newLexicon(): Lexicon {
  return { terms: new TermIndex(), lower: new Set(), upper: new Set() };
}

export function learnWords(lexicon: Lexicon, facts: readonly Fact[]): void {
  for (const { tokens } of facts) {
    if (tokens.length === 0) continue;
    lexicon.terms.addSentence(tokens);
    for (const token of tokens.slice(1)) {
      if (token.text === token.lower) lexicon.lower.add(token.lower);
      else lexicon.upper.add(token.lower);
    }
  }
}

/** The phrase as it reads within a sentence: a capital stays only on a name or a short form. */
export function lowerFirst(text: string, lexicon: Lexicon): string {
  const word = /^[\p{L}\p{N}'’-]+/u.exec(text)?.[0] ?? "";
  const low = word.toLowerCase();
  if (word.slice(1) !== low.slice(1) || word.length < 1) return text;
  const plain = low.replace(/['’]s$/, "");
  const isName = (lexicon.upper.has(low) || lexicon.upper.has(plain)) && !lexicon.lower.has(low) && !lexicon.lower.has(plain);
  return isName || (word.length === 1 && !/^a$/i.test(word)) ? text : low + text.slice(word.length);
}

/** A sentence opens with a capital, but "mRNA" and "pH" keep their own form. */
export function upperFirst(text: string): string {
  return /^\p{Ll}+\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const ANAPHOR =
  /^(?:it|its|they|them|their|this|these|those|such|he|she|his|her|another|other|others|same|that|former|latter|itself|themselves|here|there|both|one|ones|aforementioned|resulting|remaining|respective|first|second|third|fourth|fifth|next|last|final|previous|similar|different|new|additional|particular|certain|various|above|below|following)$/;

/** Whether the phrase names its thing to someone who did not read the sentence before. */
export function isNamed(tokens: readonly Token[], lexicon: Lexicon): boolean {
  const words = tokens.filter((t) => t.pos !== "PUNCT");
  if (words.length === 0) return false;
  const isFree = (t: Token, i: number) => (t.lower === "both" && i === 0) || (t.lower === "that" && i > 0);
  if (words.some((t, i) => ANAPHOR.test(t.lower) && !isFree(t, i))) return false;
  const matter = words.filter(
    (t) => t.pos !== "DET" && t.pos !== "ADP" && t.lower !== "both" && !isGeneralWord(singular(t.lower)),
  );
  const whole = lexicon.terms.get(
    words
      .filter((t) => t.pos !== "DET")
      .map((t) => t.text)
      .join(" "),
  );
  if (whole?.isMarked) return true;
  if (matter.length === 0) return false;
  if (words[0]?.lower === "each" && matter.length < 2) return false;
  if (words[0]?.lower !== "the") return true;
  const phrase = words.slice(1).map((t) => t.text);
  const isNoun = lexicon.terms.get(phrase.join(" "));
  if (isNoun && (isNoun.isMarked || phrase.length > 1 || isNoun.count > 5)) return true;
  const tail = words.findIndex((t, i) => i > 1 && t.pos === "ADP");
  const hasTail = tail !== -1 && matter.some((t) => words.indexOf(t) > tail);
  return hasTail || words.slice(1).some((t) => t.pos === "PROPN" && t.text !== t.lower) || matter.length > 2;
}

/** How much of the source's matter a sentence carries. */
export function salience(fact: Fact, lexicon: Lexicon, focus: ReadonlySet<string>): number {
  const terms = lexicon.terms.within(fact.text);
  const weight = terms.reduce((sum: number, t: Term) => sum + t.weight, 0) / Math.sqrt(6 + fact.tokens.length / 2);
  const opening = fact.previous === undefined ? 0.12 : 0;
  const aimed = focus.size > 0 && contentStems(fact.text).some((s) => focus.has(s)) ? 1 : 0;
  const size = fact.tokens.length > 34 ? -0.2 : 0;
  return weight + opening + aimed + size + (fact.marked.length > 0 ? 0.4 : 0) - (fact.isExample ? 0.4 : 0);
}
