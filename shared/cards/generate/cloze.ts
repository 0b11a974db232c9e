import { type Candidate, wordCount } from "./candidates.ts";
import { type Clause, mainText } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { isIdentifiedByOpening, isNamed, type Lexicon, upperFirst } from "../source/lexicon.ts";
import { BLANK } from "../schema.ts";
import { isAnticipatory } from "../source/resolved-references.ts";
import { refersOutside } from "../source/sentence-rejection.ts";
import { cutSecondFact } from "../source/clause-splitting.ts";
import { isWholePhrase, type BlankPosition, findBlankPositions } from "./blank-positions.ts";
import { isGeneralWord } from "../source/terms.ts";
import { isNominal, type Token, wordAt } from "#shared/text/tokens.ts";
import { mainVerb } from "#shared/text/verbs.ts";
import { contentStems, containsPhrase, phraseKey, singular } from "#shared/text/words.ts";

const MIN_CONTEXT_WORDS = 6;
const MAX_WORDS = 32;

/** "Some type of ____": any type. */
const VAGUE_BEFORE = /\b(?:types?|kinds?|sorts?|forms?|part) of $/i;

/** Whether the context hides the answer. Up to half of the words of an emphasised answer may be in the context. */
function isHidden(contextWords: string, answer: string, isMarked: boolean): boolean {
  const contextStems = new Set(contentStems(contextWords).map(singular));
  const stems = contentStems(answer);
  const revealed = stems.filter((s) => contextStems.has(singular(s))).length;
  return revealed === 0 || (isMarked && revealed <= stems.length / 2);
}

/** Cuts a long sentence after its main clause if the blank is there. */
function shorten(fact: Fact, start: number, end: number, maxWords = MAX_WORDS): string {
  const { text, tokens } = fact;
  if (wordCount(text) <= maxWords + 2) return text;
  const canEndAtBlank = ENDS_WITH_NAMING_VERB.test(text.slice(0, start));
  const cut = tokens.findLast(
    (t, i) =>
      (t.start > end + 1 || (canEndAtBlank && t.start >= end)) &&
      isMainPartEnd(tokens, i) &&
      wordCount(text.slice(0, t.start)) <= maxWords,
  );
  return cut ? `${text.slice(0, cut.start).replace(/[\s,;]+$/, "")}.` : text;
}

/** After these words a name can end the sentence. */
const ENDS_WITH_NAMING_VERB = /\b(?:called|termed|named|known as|referred to as) (?:an? |the )?$/i;

function isMainPartEnd(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  const next = tokens[i + 1];
  if (!token) return false;
  if (token.text === ",")
    return (
      /^(?:which|making|allowing|so|but|because|while|whereas|where)$/.test(next?.lower ?? "") || isOfWhich(tokens, i)
    );
  return (
    /^(?:;|that|because|when|while|whereas|where)$/.test(token.lower) &&
    tokens[i - 1]?.pos !== "VERB" &&
    !TAKES_THAT_CLAUSE.test(wordAt(tokens, i - 1))
  );
}

/** "The fact | that it burns": incomplete without what follows. */
const TAKES_THAT_CLAUSE =
  /^(?:fact|idea|notion|belief|view|evidence|hypothesis|assumption|observation|claim|possibility|sense|way)$/;

/** ", two types of which", ", most of whom": a clause about the previous noun. */
const isOfWhich = (tokens: readonly Token[], comma: number) =>
  tokens.some(
    (t, i) => i > comma + 1 && i < comma + 5 && /^(?:which|whom)$/.test(t.lower) && wordAt(tokens, i - 1) === "of",
  );

/** Context for the blank: the previous sentence that it refers to, or the next one that says more. */
interface BlankContext {
  before: string;
  after: string;
  /** Only the naming part of the sentence is used. */
  isNaming?: boolean;
}
const NO_CONTEXT: BlankContext = { before: "", after: "" };

const withArticleOpen = (head: string) =>
  head.replace(/(?:^An?|(?<=\s)an?)\s+$/, (article) => (article.startsWith("A") ? "A/an " : "a/an "));

/**
 * Moves the reason of "This process is called ____, because …" to the front, so that the question doesn't start with a
 * reference.
 */
const reasonFirst = (question: string) =>
  question.replace(
    /^(This|These) ([^_.;]{3,40} (?:is|are) (?:called|termed|known as) (?:a\/an )?_{4}),? because ([^;]+)\.$/,
    (_, pronoun: string, naming: string, reason: string) => `Because ${reason}, ${pronoun.toLowerCase()} ${naming}.`,
  );

const countContentWords = (contextWords: string) =>
  new Set(contentStems(contextWords).filter((s) => !isGeneralWord(s))).size;

/** "bucket brigade in." was cut short, and "____,6-" splits a name. */
const endsMidPhrase = (tail: string) =>
  / (?:of|in|on|to|for|from|by|with|the|an?|and|or|so|as|than|that|which|be|is|are|because|when|where|while|if|whose|(?:is|are) (?:an? |one )?(?:example|instance|exception|result)s?|(?:in|into|to|at|by) (?:an?|the) (?:form|way|manner|place|state|point|fashion|type|kind|structure|extent|degree))\.$/i.test(
    tail,
  ) || /^[^\s.,;:!?)’'”"—–]|^,\S/u.test(tail);

/** Whether the sentence has enough context and doesn't contain the answer. A term emphasised here needs less. */
function canBeFound({ emphasised }: Fact, contextWords: string, answer: string, isMarked: boolean): boolean {
  const words = wordCount(contextWords);
  const [leastWords, minContextWords] = emphasised.length > 0 ? [MIN_CONTEXT_WORDS - 1, 3] : [MIN_CONTEXT_WORDS, 4];
  const hasEnoughWords =
    words >= leastWords && words <= MAX_WORDS && countContentWords(contextWords) >= minContextWords;
  return hasEnoughWords && isHidden(contextWords, answer, isMarked);
}

/** "Plant cells have a wall, ____.": one item of a list that was cut has too many right answers. */
const isCutItem = (opening: string, tail: string) => /, (?:an? |the )?$/i.test(opening) && /^[.,]/.test(tail);

const isCut = (opening: string, tail: string) => endsMidPhrase(tail) || isCutItem(opening, tail);

/** "This process is called ____; it also …" ends after the name. */
const endAtName = (tail: string) => (/^[;,]|^ (?:because|and|which)\b/.test(tail) ? "." : tail);

/** The full stop in "called Delta G." belongs to the sentence. */
const endOf = ({ end }: BlankPosition, { text }: Fact) => (end === text.length && text.endsWith(".") ? end - 1 : end);

function blankOut(fact: Fact, spot: BlankPosition, { before, after, isNaming }: BlankContext): Candidate | undefined {
  const { start, term, isSpecific } = spot;
  const end = endOf(spot, fact);
  const answer = fact.text.slice(start, end);
  const opening = fact.text.slice(0, start);
  const freeWords = MAX_WORDS - wordCount(before);
  const following = after === "" ? shorten(fact, start, end, freeWords).slice(end) : `${fact.text.slice(end)} ${after}`;
  const tail = isNaming === true ? endAtName(following) : following;
  const isFit =
    (isSpecific || term.isMarked) &&
    !tail.endsWith(":") &&
    !endsMidPhrase(tail) &&
    !isCutItem(opening, tail) &&
    (term.isMarked || !VAGUE_BEFORE.test(opening));
  if (!isFit || !canBeFound(fact, `${before} ${opening} ${tail}`, answer, term.isMarked)) return undefined;
  return {
    style: "cloze",
    question: reasonFirst(`${withSpaceAfter(before)}${withArticleOpen(opening)}${BLANK}${tail}`),
    answer,
    fact,
    termKey: term.key,
    withPrevious: before !== "",
    withNext: after !== "",
    isLastResort: !isSpecific,
  };
}

const REFERS_BACK = /^(?:collectively, )?(?:this|these|the (?:resulting|latter))\b.*\b(?:called|termed|known as)\b/i;

/** The main clause; "" if it depends on a condition. */
function mainOf({ clause, text }: Fact): string {
  const isConditional = /^(?:if|unless|when|whenever|once)$/.test(clause?.lead[0]?.lower ?? "");
  return clause && !isConditional ? mainText(clause, cutSecondFact(clause.rest), text) : "";
}

/** The previous sentence, or only its main clause if it is long. */
export function contextsBefore({ previous, text }: Fact, before: string): string[] {
  // "Those carbohydrates are": a shortened context must still mention them.
  const repeatedNoun = /^(?:this|these|those|that|the) (\p{L}+)/iu.exec(text)?.[1] ?? "";
  if (before === "") return [];
  const main = previous ? mainOf(previous) : "";
  if (
    main === "" ||
    (repeatedNoun !== "" && containsPhrase(before, repeatedNoun) && !containsPhrase(main, repeatedNoun))
  )
    return [before];
  return [before, `${upperFirst(main)}.`];
}

/** The naming part alone, after what it names. */
const namingsOf = (fact: Fact, before: string): BlankContext[] =>
  contextsBefore(fact, before).map((context) => ({ before: context, after: "", isNaming: true }));

/** The previous sentence, if it can be understood alone. */
function previousContext({ previous, text }: Fact): string {
  const names = REFERS_BACK.test(text);
  const isFit =
    previous?.isSelfContained === true ||
    (names && previous?.needsContext === true && !STARTS_WITH_PRONOUN.test(previous.text));
  return isFit && !repeatsPointing(previous?.text ?? "", text) ? (previous?.text ?? "") : "";
}

/** "It is needed for this lamp. This lamp is called": both refer to an earlier sentence. */
function repeatsPointing(before: string, text: string): boolean {
  const pointing = /^(?:this|these) (?:\p{L}+ ){1,2}(?=is|are)/iu.exec(text)?.[0].toLowerCase();
  return pointing !== undefined && `${before.toLowerCase().replace(/[.,;]/g, "")} `.includes(pointing);
}

const STARTS_WITH_PRONOUN = /^(?:it|its|they|their|he|she|this|these|those|that|such)\b/i;

/** The next sentence, cut before a second fact if it is long. */
function continuation({ next }: Fact): string {
  if (!next || wordCount(next.text) <= SHORT_ENOUGH || !next.clause) return next?.text ?? "";
  return `${mainText(next.clause, cutSecondFact(next.clause.rest), next.text)}.`;
}
const SHORT_ENOUGH = 14;

/** A fragment or an instruction has no statement to complete. */
function hasMainClause({ clause, tokens }: Fact): boolean {
  const verb = mainVerb(tokens);
  return clause !== undefined || (verb > 0 && wordAt(tokens, verb - 1) !== ",");
}

/** "This process is called T, because …": the rest of the sentence is enough context. */
const namesAndExplains = (text: string) =>
  /\b(?:called|termed|known as)\b/.test(text) &&
  wordCount(text) > 11 &&
  !/^(?:it|they|he|she|the (?:answer|question|reason|solution|result|other)|an?other)\b|\b(?:this|these|those|that)\.$/i.test(
    text,
  );

interface BlankSite {
  start: number;
  end: number;
  isEmphasised?: boolean;
}
const RICH_CONTEXT_WORDS = 8;

/** A sentence this informative needs no further context for an emphasised name. */
const hasEnoughContext = (text: string) =>
  /\b(?:called|termed|known as|because|in which)\b/.test(text) && countContentWords(text) >= RICH_CONTEXT_WORDS;

/** "The zygomycetes are a group": all of them. */
const isOfAll = ({ verbs, rest }: Clause) =>
  /^(?:are|were)$/.test(wordAt(verbs, 0)) && /^(?:a|an)$/.test(wordAt(rest, 0));

/** "The receptor binds": which receptor? The blank may be the subject itself. */
function isUnnamed({ clause, text }: Fact, site: BlankSite, lexicon: Lexicon): boolean {
  if (
    !clause ||
    wordAt(clause.subject, 0) !== "the" ||
    isNamed(clause.subject, lexicon) ||
    isIdentifiedByOpening(clause, lexicon)
  )
    return false;
  const isFound = site.isEmphasised === true && hasEnoughContext(text);
  return !isWithin(site, clause.subject) && !isFound && !isOfAll(clause);
}

/** "The method used by animals is": the words after the noun identify it. */
const isDescribed = ({ clause }: Fact) =>
  clause !== undefined &&
  clause.subject.length > 4 &&
  clause.subject.some((t, i) => i > 1 && /^(?:VERB|ADP|PART)$/.test(t.pos) && isNominal(clause.subject[i - 1]));

const isWithin = ({ start, end }: BlankSite, tokens: readonly Token[]) =>
  start >= (tokens[0]?.start ?? 0) && end <= (tokens.at(-1)?.end ?? 0);

/** The possible contexts of a blank, best first. */
function rankedContexts(fact: Fact, spot: BlankPosition, lexicon: Lexicon): BlankContext[] {
  const before = previousContext(fact);
  const previousContexts = contextsBefore(fact, before).map((context) => ({ before: context, after: "" }));
  if (fact.needsContext) {
    const alone = namesAndExplains(fact.text) ? [NO_CONTEXT] : [];
    const withPrevious = fact.isPart ? [] : previousContexts;
    // A sentence that names a thing and gives the reason says more than one that needs the previous sentence.
    const contexts = /\bbecause\b/.test(fact.text) ? [...alone, ...withPrevious] : [...withPrevious, ...alone];
    return [...contexts, ...(!fact.isPart && REFERS_BACK.test(fact.text) ? namingsOf(fact, before) : [])];
  }
  const isEmphasised = fact.emphasised.some((m) => phraseKey(m) === spot.term.key);
  if (isUnnamed(fact, { ...spot, isEmphasised }, lexicon)) return fact.isPart ? [] : previousContexts;
  return [...(spot.term.isMarked && isContinued(fact) ? [{ before: "", after: continuation(fact) }] : []), NO_CONTEXT];
}

/** A short sentence followed by one about the same thing. */
const isContinued = ({ next, text, isPart }: Fact) =>
  !isPart &&
  next?.needsContext === true &&
  CONTINUES_PREVIOUS.test(next.text) &&
  !isAnticipatory(next) &&
  !refersOutside(next.text) &&
  !next.text.endsWith(":") &&
  countContentWords(text) < MAX_SHORT_WORDS;

/** Starts a sentence that continues the previous one. */
const CONTINUES_PREVIOUS = /^(?:it|they|this|these|its|their)\b/i;
const MAX_SHORT_WORDS = 11;

/** Terms emphasised in this sentence come first. */
const rankOf = ({ term }: BlankPosition, { emphasised }: Fact) =>
  term.weight + (emphasised.some((m) => phraseKey(m) === term.key) ? 10 : 0);

/** Whether a few words of context are enough, as they are when everything else was asked. */
const isFoundWithLittle = (contextWords: string, answer: string) =>
  wordCount(contextWords) >= 4 &&
  wordCount(contextWords) <= MAX_WORDS &&
  countContentWords(contextWords) >= 2 &&
  isHidden(contextWords, answer, contentStems(answer).length > 2);

/** Cloze cards for the terms of one sentence, best term first. */
export function makeBlanks(fact: Fact, lexicon: Lexicon): Candidate[] {
  if ((!fact.isSelfContained && !fact.needsContext) || (fact.emphasised.length === 0 && !hasMainClause(fact)))
    return [];
  if (!fact.isSelfContained && refersOutside(fact.text)) return [];
  const spots = findBlankPositions(fact, lexicon).filter((s) => fact.isSelfContained || s.term.isMarked);
  return spots
    .toSorted((a, b) => rankOf(b, fact) - rankOf(a, fact) || a.start - b.start)
    .slice(0, 3)
    .flatMap((spot) => {
      for (const context of rankedContexts(fact, spot, lexicon)) {
        const found = blankOut(fact, spot, context);
        if (found) return [found];
      }
      return [];
    });
}

const NO_PREVIOUS = { before: "", isSparse: false };

const lacksReferent = (fact: Fact, site: BlankSite, lexicon: Lexicon, isSparse: boolean) =>
  !(isSparse && isDescribed(fact)) && isUnnamed(fact, site, lexicon);

const withSpaceAfter = (before: string) => (before === "" ? "" : `${before} `);

/**
 * A cloze card for the given words, if the rest of the sentence gives enough context. `before`: context from the
 * previous sentence. `isSparse`: the context may be short.
 */
export function blankAt(
  fact: Fact,
  words: readonly Token[],
  lexicon: Lexicon,
  { before, isSparse }: { before: string; isSparse: boolean } = NO_PREVIOUS,
): Candidate | undefined {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || !isWholePhrase(fact, fact.tokens.indexOf(first), fact.tokens.indexOf(last))) return undefined;
  const answer = fact.text.slice(first.start, last.end);
  const opening = fact.text.slice(0, first.start);
  const tail = shorten(fact, first.start, last.end, MAX_WORDS - wordCount(before)).slice(last.end);
  const contextWords = `${before} ${opening} ${tail}`;
  if (
    isCut(opening, tail) ||
    VAGUE_BEFORE.test(opening) ||
    !(isSparse ? isFoundWithLittle(contextWords, answer) : canBeFound(fact, contextWords, answer, false)) ||
    (before === "" && lacksReferent(fact, first, lexicon, isSparse))
  )
    return undefined;
  const term = lexicon.terms.get(answer);
  const termField = term ? { termKey: term.key } : {};
  const question = `${withSpaceAfter(before)}${withArticleOpen(opening)}${BLANK}${tail}`;
  return {
    style: "cloze",
    question,
    answer,
    fact,
    ...termField,
    withPrevious: before !== "",
    isFiller: true,
  };
}
