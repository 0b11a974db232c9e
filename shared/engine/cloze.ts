import { type Candidate, wordCount } from "#shared/engine/candidates.ts";
import type { Fact } from "#shared/engine/facts.ts";
import type { Lexicon } from "#shared/engine/naming.ts";
import { refuseSentence } from "#shared/engine/refusals.ts";
import { BLANK } from "#shared/engine/schema.ts";
import { isGeneralWord, type Term } from "#shared/engine/terms.ts";
import { posAt, type Token, wordAt } from "#shared/engine/tokens.ts";
import { mainVerb } from "#shared/engine/verbs.ts";
import { contentStems, phraseKey, singular } from "#shared/engine/words.ts";

const MIN_WORDS_AROUND = 6;
const MAX_WORDS = 31;

interface Spot {
  start: number;
  end: number;
  term: Term;
  isTelling: boolean;
}

/** A part of a larger name is a wrong blank: "immune" in "immune system", "cell" in "stem cell". */
function isWhole(fact: Fact, first: number, last: number): boolean {
  const { tokens } = fact;
  if (/^(?:ADJ|NOUN|PROPN)$/.test(posAt(tokens, first - 1)) || /^(?:NOUN|PROPN|ADJ|DET)$/.test(posAt(tokens, last + 1)))
    return false;
  // "____ of the heart" and an item of an enumeration have too many right answers.
  const isItem = isListWord(wordAt(tokens, first - 1)) && isListWord(wordAt(tokens, last + 1));
  return !isItem && wordAt(tokens, last + 1) !== "of";
}

const isListWord = (word: string) => word === "," || word === "and" || word === "or";

/** One plain word is worth asking for only where the sentence is about it. */
function isTelling(fact: Fact, first: number, key: string): boolean {
  if (isGeneralWord(key)) return false;
  if (key.includes(" ")) return true;
  const before = fact.tokens[first - 1]?.lower ?? "";
  return first < 5 && !/^(?:some|many|most|several|few|other|all|in|of|for|to|from|by|with|on)$/.test(before);
}

function spotsOf(fact: Fact, lexicon: Lexicon): Spot[] {
  const spots: Spot[] = [];
  const marked = new Set(fact.marked.map(phraseKey));
  for (let i = 0; i < fact.tokens.length; i++) {
    for (let size = Math.min(5, fact.tokens.length - i); size > 0; size--) {
      const part = fact.tokens.slice(i, i + size);
      const start = part[0]?.start ?? 0;
      const end = part.at(-1)?.end ?? 0;
      const key = phraseKey(fact.text.slice(start, end));
      const term = part.some((t) => t.pos === "PUNCT") ? undefined : lexicon.terms.byKey(key);
      if (!term) continue;
      if (marked.has(key) || isWhole(fact, i, i + size - 1))
        spots.push({ start, end, term, isTelling: marked.has(key) || isTelling(fact, i, key) });
      i += size - 1;
      break;
    }
  }
  return spots;
}

/** The answer must not be told by the rest of the sentence. */
function isHidden(around: string, answer: string, isMarked: boolean): boolean {
  const rest = new Set(contentStems(around).map(singular));
  const stems = contentStems(answer);
  const told = stems.filter((s) => rest.has(singular(s))).length;
  return told === 0 || (isMarked && told <= stems.length / 2);
}

/** A long sentence ends where its main part does, if the blank is in that part. */
function shorten(fact: Fact, end: number): string {
  const { text, tokens } = fact;
  if (wordCount(text) <= MAX_WORDS + 2) return text;
  const cut = tokens.findLast(
    (t, i) => t.start > end + 1 && endsMainPart(tokens, i) && wordCount(text.slice(0, t.start)) <= MAX_WORDS,
  );
  return cut ? `${text.slice(0, cut.start).replace(/[\s,;]+$/, "")}.` : text;
}

function endsMainPart(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  const next = tokens[i + 1];
  if (!token) return false;
  if (token.text === ",")
    return /^(?:which|making|allowing|so|but|because|while|whereas|where)$/.test(next?.lower ?? "");
  return /^(?:;|that|because|when|while|whereas|where)$/.test(token.lower) && tokens[i - 1]?.pos !== "VERB";
}

function blankOut(fact: Fact, { start, end, term, isTelling: tells }: Spot, before: string): Candidate | undefined {
  if (!tells && !term.isMarked) return undefined;
  const answer = fact.text.slice(start, end);
  const head = fact.text
    .slice(0, start)
    .replace(/\b(a|an)\s+$/i, (article) => (article.startsWith("A") ? "A/an " : "a/an "));
  const tail = shorten(fact, end).slice(end);
  const around = `${before} ${fact.text.slice(0, start)} ${tail}`;
  const question = `${before ? `${before} ` : ""}${head}${BLANK}${tail}`;
  const words = wordCount(around);
  if (words < MIN_WORDS_AROUND || words > MAX_WORDS || !isHidden(around, answer, term.isMarked)) return undefined;
  const rest = contentStems(around).filter((s) => !isGeneralWord(s));
  if (new Set(rest).size < (fact.marked.length > 0 ? 3 : 4)) return undefined;
  return {
    style: "cloze",
    question,
    answer,
    fact,
    termKey: term.key,
    withPrevious: before !== "",
    isLastResort: !tells,
  };
}

/** The sentence before, when it stands alone itself. */
const contextOf = (previous: Fact | undefined) => (previous?.isSound ? previous.text : "");

/** A fragment or an order ("In the morning, add …") is no statement to complete. */
function hasMainClause({ clause, tokens }: Fact): boolean {
  const verb = mainVerb(tokens);
  return clause !== undefined || (verb > 0 && wordAt(tokens, verb - 1) !== ",");
}

/** Blanks for the terms of one sentence, best term first. */
export function askBlanks(fact: Fact, lexicon: Lexicon): Candidate[] {
  if ((!fact.isSound && !fact.isLeaning) || (fact.marked.length === 0 && !hasMainClause(fact))) return [];
  const previous = fact.isLeaning ? contextOf(fact.previous) : "";
  // "This process is called …, because": the rest of the sentence says enough to find the word.
  const saysEnough =
    refuseSentence(fact.text) === undefined &&
    /\b(?:called|termed|known as)\b/.test(fact.text) &&
    wordCount(fact.text) > 11;
  if (fact.isLeaning && !previous && !saysEnough) return [];
  const spots = spotsOf(fact, lexicon).filter((s) => fact.isSound || s.term.isMarked);
  return spots
    .toSorted((a, b) => b.term.weight - a.term.weight || a.start - b.start)
    .slice(0, 3)
    .map((spot) => blankOut(fact, spot, previous) ?? (previous && saysEnough ? blankOut(fact, spot, "") : undefined))
    .filter((c) => c !== undefined);
}
