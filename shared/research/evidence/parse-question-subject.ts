import { contentQuery, isGermanQuestion } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal, isVerbal, type Token } from "#shared/text/tokens.ts";
import { isLowWeightTerm } from "./terms/low-weight-terms.ts";

/** The subject of a question, as search terms. */
export interface QuestionSubject {
  /** Its first noun phrase: "double tail" in "What causes the double tail of the Harrow comet?". */
  head: readonly string[];
  /** The noun phrase after that: "Harrow comet". */
  modifiers: readonly string[];
}

/** Nouns that only ask, such as "reason", and those for anybody, such as "people": they name no thing. */
const ASKING_NOUNS = new Set(
  searchTerms(
    "difference similarity year date time number amount part name stage step structure cause reason result example definition meaning type main " +
      "body people person human someone",
  ),
);

/** "ATP" is a substance like "sugar", not the name of one thing. */
const ABBREVIATION = /^[\p{Lu}\p{N}]{2,5}s?$/u;

const isNaming = (term: string) => !isLowWeightTerm(term) && !ASKING_NOUNS.has(term);
const isNumber = ({ pos, text }: Token) => pos === "NUM" && !/\d/.test(text);
/** "The two kinds of amnesia": a number does not name what is counted. */
const namingTermsOf = (tokens: readonly Token[]) =>
  searchTerms(contentQuery(tokens.flatMap((token) => (isNumber(token) ? [] : [token.text])).join(" "))).filter(
    isNaming,
  );

/** The end of the noun phrase that begins at a token: after its last noun. */
function endOfPhrase(tokens: readonly Token[], start: number): number {
  let end = start;
  while (/^(?:ADJ|NUM|DET)$/.test(tokens[end]?.pos ?? "")) end += 1;
  while (isNominal(tokens[end])) end += 1;
  return end;
}

interface NounPhrase {
  terms: string[];
  start: number;
  end: number;
  isName: boolean;
}

/** The noun phrases of a question in order, without those that only ask: "which state", "how many stores". */
function nounPhrases(tokens: readonly Token[]): NounPhrase[] {
  const phrases: NounPhrase[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = endOfPhrase(tokens, at);
    const words = tokens.slice(at, end);
    if (!words.some(isNominal)) continue;
    const terms = namingTermsOf(words);
    const isAsked = /^(?:which|what|many|much)$/.test(tokens[at - 1]?.lower ?? words[0]?.lower ?? "");
    const isName = words.some(({ text, start }) => start > 0 && /^\p{Lu}/u.test(text) && !ABBREVIATION.test(text));
    if (terms.length > 0 && (!isAsked || isName)) phrases.push({ terms, start: at, end, isName });
    at = end - 1;
  }
  return phrases;
}

/** Words after which the verb of another clause follows: "Why do costs fall as a firm grows?". */
const BEGINS_CLAUSE = /^(?:as|when|if|while|after|before|until|since|because|although|once|than)$/;

/**
 * "How does the Orun glacier move?": if no other word after "does" can be the verb, the last noun is marked as the
 * verb.
 */
function withVerb(all: readonly Token[]): Token[] {
  const tokens = all.map((token, at): Token => {
    const [before, after] = [all[at - 1], all[at + 1]];
    // "Who gains from inflation?": the word after "who" is a verb.
    if (before?.lower === "who" && isNominal(token)) return { ...token, pos: "VERB" };
    // "Applied science": a participle before a noun is part of its phrase.
    const isFirst = before === undefined || /^(?:DET|ADP)$/.test(before.pos);
    return isFirst && token.pos === "VERB" && token.lower.endsWith("ed") && isNominal(after)
      ? { ...token, pos: "ADJ" }
      : token;
  });
  const auxiliary = tokens.findIndex(({ lower }) => /^(?:do|does|did|can|could|will|would|should|must)$/.test(lower));
  if (auxiliary === -1) return [...tokens];
  const rest = tokens.slice(auxiliary + 1);
  // "How do plants turn": the word after "do" is a noun.
  const [first] = rest;
  if (first?.pos === "VERB") return tokens.map((token) => (token === first ? { ...token, pos: "NOUN" } : token));
  const clause = rest.findIndex(
    ({ pos, lower }, at) => /^(?:PUNCT|CCONJ|SCONJ)$/.test(pos) || (at > 0 && BEGINS_CLAUSE.test(lower)),
  );
  const words = clause === -1 ? rest : rest.slice(0, clause);
  if (words.some(({ pos }) => pos === "VERB")) return [...tokens];
  const start = words.findIndex(isNominal);
  const verb = words.findIndex((token, at) => at > start && isNominal(token) && !isNominal(words[at + 1]));
  return start === -1 || verb === -1
    ? [...tokens]
    : tokens.map((token, at) => (at === auxiliary + 1 + verb ? { ...token, pos: "VERB" } : token));
}

/** "Durkheim’s view of crime" is about Durkheim, not about crime; "Newton’s laws of motion" are about motion. */
const OWNER =
  /(?<!\p{L})(\p{Lu}[\p{L}-]+)['’]s\s(?:\p{Ll}+\s)?(?:views?|ideas?|opinions?|beliefs?|attitudes?|positions?|arguments?|accounts?|criticisms?|critiques?)\s(?:of|on|about|for|against|towards?)\s/u;

/** The subject of a question of the student; undefined if it cannot be recognised. */
export function subjectOfQuestion(question: string): QuestionSubject | undefined {
  if (isGermanQuestion(question)) return undefined;
  const owner = OWNER.exec(question)?.[1];
  if (owner !== undefined) return { head: searchTerms(owner), modifiers: [] };
  return subjectOfTokens(withVerb(tagSentence(question)));
}

const wordBefore = (tokens: readonly Token[], at: number): string =>
  tokens.slice(0, at).findLast(({ pos }) => pos !== "DET")?.lower ?? "";

function subjectOfTokens(tokens: readonly Token[]): QuestionSubject | undefined {
  const phrases = nounPhrases(tokens);
  const [first, second] = phrases;
  if (!first) return undefined;
  const isJoined = second?.start === first.end + 1 && tokens[first.end]?.lower === "of";
  const modifiers = isJoined && second ? second.terms : [];
  // "Who was the director of the film Big Eyes?": a name is the subject, but not a place or time: "in the United States".
  const isCircumstance = ({ start }: NounPhrase) => /^(?:in|at|during)$/.test(wordBefore(tokens, start));
  const name = first.isName ? undefined : phrases.find((phrase) => phrase.isName && !isCircumstance(phrase));
  return name === undefined || name.terms === modifiers
    ? { head: first.terms, modifiers }
    : { head: name.terms, modifiers: [] };
}

/** The terms of the first noun phrase of a question, also if a name follows: "inflation" for "inflation in the United States". */
export function firstPhraseTerms(question: string): readonly string[] {
  if (isGermanQuestion(question)) return [];
  return nounPhrases(withVerb(tagSentence(question)))[0]?.terms ?? [];
}

/** Words before the grammatical subject of a sentence: "However,", "In plants,", "Based on fossil evidence,". */
const LEADING =
  /^(?:(?:\p{L}+ly|however|but|yet|in|on|at|during|after|before|by|for|with|from|under|among|unlike|like|when|if|while|because|although|since|as|based)(?:\s[^,;.]{1,80})?,\s+)+/iu;

/** Cached, because each sentence is checked for several parts of a question. */
const openings = new Map<string, ReadonlySet<string>>();
const MAX_OPENINGS = 2000;

/** The search terms of the grammatical subject of a sentence: the words before its first verb. */
export function openingTerms(sentence: string): ReadonlySet<string> {
  const terms = openings.get(sentence) ?? readOpening(sentence);
  if (openings.size >= MAX_OPENINGS) openings.clear();
  openings.set(sentence, terms);
  return terms;
}

function readOpening(sentence: string): ReadonlySet<string> {
  const rest = sentence.replace(LEADING, "");
  const tokens = tagSentence(rest);
  const verb = tokens.findIndex((token, at) => at > 0 && isVerbal(token));
  return new Set(
    searchTerms(rest.slice(0, tokens[verb === -1 ? Math.min(5, tokens.length) : verb]?.start ?? rest.length)),
  );
}

/** Whether a text's terms include all terms of a phrase; false for an empty phrase. */
export const includesAll = (terms: ReadonlySet<string>, phrase: readonly string[]): boolean =>
  phrase.length > 0 && phrase.every((term) => terms.has(term));
