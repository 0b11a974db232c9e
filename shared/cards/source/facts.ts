import { type Clause, readClause, textOf } from "#shared/text/clauses.ts";
import { cleanSentence, isExample } from "./cleaning.ts";
import { readLabel } from "./labels.ts";
import { type Lexicon, upperFirst } from "./lexicon.ts";
import { refersToOtherSentence, rejectSentence, rejectTermSentence } from "./sentence-rejection.ts";
import { cutSecondFact, independentClauses } from "./clause-splitting.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import type { MarkedTerm, Term } from "./terms.ts";
import { isNominal, isVerbal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isAuxiliary, mainVerb } from "#shared/text/verbs.ts";
import { contentStems, phraseKey, wordsOf } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A sentence of the source with its analysis. */
export interface Fact {
  passage: Passage;
  start: number;
  end: number;
  /** The sentence before cleaning. */
  original: string;
  /** The cleaned text that questions are made from. */
  text: string;
  /** "Isthmus" in "Isthmus: a strip of land", removed from the text. */
  label: string | undefined;
  tokens: Token[];
  clause: Clause | undefined;
  /** Whether the sentence can be on a card without another sentence. */
  isSelfContained: boolean;
  /** Whether the sentence can be on a card only together with the previous sentence. */
  needsContext: boolean;
  isExample: boolean;
  /** Terms that the author emphasised in this sentence, as written. */
  emphasised: string[];
  /** The previous sentence of the passage. */
  previous: Fact | undefined;
  /** The next sentence of the passage. */
  next: Fact | undefined;
  order: number;
  /** Whether it is a clause of a sentence or information given in passing. */
  isPart: boolean;
  /** The clauses of the sentence as separate facts, if it has several. */
  parts: Fact[];
}

const MAX_FACTS_PER_PASSAGE = 400;
const MAX_SENTENCE = 600;

/** The sentences of one passage, tagged and checked. */
export function readFacts(passage: Passage, emphasised: readonly MarkedTerm[], firstOrder: number): Fact[] {
  const facts: Fact[] = [];
  const passageTerms = emphasised.filter((m) => m.passage === passage);
  for (const { text: original, start, end } of splitSentences(passage.text).slice(0, MAX_FACTS_PER_PASSAGE)) {
    if (original.length > MAX_SENTENCE) continue;
    const { label, text, isPoint } = readText(passage, original, start);
    const names = passageTerms.filter((m) => m.start >= start && m.end <= end + 1).map((m) => m.text);
    const fact: Fact = {
      passage,
      start,
      end,
      original,
      text,
      label: label?.name,
      ...judge(text, names),
      isExample: isExample(original),
      emphasised: names,
      previous: facts.at(-1),
      next: undefined,
      order: firstOrder + facts.length,
      isPart: false,
      parts: [],
    };
    if (label && mainVerb(fact.tokens) < 1) fact.isSelfContained = false;
    if (isPoint && !isStatement(fact)) Object.assign(fact, { isSelfContained: false, needsContext: false });
    fact.parts = [...splitFact(fact), ...relativeFacts(fact), ...namedFacts(fact)];
    const last = facts.at(-1);
    if (last) last.next = fact;
    facts.push(fact);
  }
  return facts;
}

/** The sentence without its label and, for a bullet point without one, with a full stop. */
function readText(passage: Passage, original: string, start: number) {
  const isPoint = isBarePoint(passage, original);
  const bare = cleanSentence(original, passage.locator.rect !== undefined);
  const cleaned = isPoint ? `${bare}.` : bare;
  const label = LIST_MARKER.test(passage.text.slice(0, start)) ? readLabel(cleaned) : undefined;
  return { label, text: label?.text ?? cleaned, isPoint: isPoint && label === undefined };
}

/** "Cells have an extra copy of chromosome 21": a bullet point without a full stop. */
const isBarePoint = ({ kind, text }: Passage, original: string) =>
  kind === "list_item" && original.length > text.trim().length - 4 && /[\p{L}\p{N})]$/u.test(original);

/** Most bullet points aren't sentences, and half a sentence makes no card. */
function isStatement({ clause, text }: Fact): boolean {
  const [verb] = clause?.verbs ?? [];
  if (!clause || !verb || clause.lead.length > 0 || wordsOf(text).length > 30) return false;
  const isPlain = isAuxiliary(verb) || (verb.lower !== verb.lemma && verb.lower.endsWith("s")) || hasPlural(clause);
  return isPlain && (clause.rest.length > 1 || clause.verbs.length > 1);
}

const hasPlural = ({ subject, verbs: [verb] }: Clause) =>
  verb?.lower === verb?.lemma && /[^sui]s$/.test(subject.at(-1)?.lower ?? "");

/** What may precede a label: nothing, or a list marker. */
const LIST_MARKER = /^\s*(?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])?\s*$/i;

/** "Review each claim", "Ensure that": an instruction, even if tagged otherwise. */
const INSTRUCTION =
  /^(?:review|ensure|make|provide|check|verify|use|keep|file|submit|obtain|contact|send|complete|maintain|record|report|call|ask|add|remove|select|click|open|enter|read|write|choose|set|avoid|do|determine|confirm|prepare|take|give|put|follow|apply|create|run|install|press|type|start|stop|turn|place|draw|find|show|list|name|state|define|practi[cs]e|include|exclude|allow|require|object|notify|consult|refer|respond|attend|advise|inform|request|return|collect|examine|inspect|assess|evaluate|monitor|document|attach|enclose|sign|pay|seek|serve|secure|establish|develop|implement|schedule|conduct) (?:sure|the|an?|all|any|each|every|both|your|their|its|that|whether|only|as (?!a\b)|at least|not)\b/i;
/** "If the fee is missing, notify the clerk": an instruction after its condition. */
const CONDITION_PREFIX = /^(?:if|when|before|after|in|for|to|once|during|at|where|unless) [^,]{3,100}, /i;

/** "Review promptly the claims". */
const ADVERB = /^(\p{Lu}?\p{Ll}+) \p{Ll}+ly(?= )/u;
/** "To understand heat, think of a stove". */
const THOUGHT_INVITATION =
  /^(?:think|imagine|consider|suppose|picture|recall|remember|note|notice|compare|look|see|try)\b/i;

const IMPERATIVE =
  /^(?:notice|note|recall|consider|imagine|think|remember|suppose|observe|compare|see|look|visit|watch|explore|learn|try|explain|describe|discuss|identify|predict|calculate|let)\b(?! of)/i;

/** "Drop the lock": an article after the first word indicates a verb. */
const isOrderOfThing = (text: string, first: Token | undefined) =>
  /^\p{Lu}\p{Ll}+ (?:the|an?) /u.test(text) &&
  /^(?:VERB|NOUN|PROPN)$/.test(first?.pos ?? "") &&
  !/(?:ing|ed|en)$/.test(first?.lower ?? "");

/** "Cross reactivity describes": a name may start with a word that is usually a verb. */
function isImperative(text: string, tokens: readonly Token[], emphasised: readonly string[]): boolean {
  const [first] = tokens;
  const order = text.replace(CONDITION_PREFIX, "");
  if (INSTRUCTION.test(order.replace(ADVERB, "$1")) || (order !== text && THOUGHT_INVITATION.test(order))) return true;
  if (emphasised.some((m) => text.toLowerCase().startsWith(m.toLowerCase()))) return false;
  if (IMPERATIVE.test(text) || isOrderOfThing(text, first)) return true;
  // "Mature cells are": the sentence has another verb.
  if (/^(?:NOUN|ADJ|PROPN)$/.test(posAt(tokens, 1)) && isAuxiliary(tokens[mainVerb(tokens, 1)])) return false;
  return first?.pos === "VERB" && !/(?:ing|ed)$/.test(first.lower) && first.lemma === first.lower;
}

/** "Referred to any system": a fragment. "Activated cells divide" has its own verb. */
const isTorn = (text: string, tokens: readonly Token[]) =>
  posAt(tokens, 0) === "VERB" &&
  wordAt(tokens, 0).endsWith("ed") &&
  !/,|\b(?:is|are|was|were)\b/.test(text) &&
  !(isNominal(tokens[1]) && mainVerb(tokens, 1) > 1);

/** "Some play a part": some of what? */
const isLoose = (tokens: readonly Token[]) =>
  /^(?:some|many|most|several|few|both|all|one|each)$/.test(wordAt(tokens, 0)) && isVerbal(tokens[1]);

/** "Jet lag results from …", "With jet lag, you …". */
function opensOnTerm(text: string, emphasised: readonly string[]): boolean {
  const lower = text.toLowerCase();
  const [, opening = ""] = /^(?:(?:the|an?) )?(.*)$/u.exec(lower) ?? [];
  const [, circumstance = ""] = /^(?:with|in|during|under) (?:(?:the|an?) )?(.*)$/u.exec(lower) ?? [];
  return emphasised.some((term) => {
    const name = term.toLowerCase();
    return opening.startsWith(`${name} `) || circumstance.startsWith(`${name}, `);
  });
}

/** `verb` is known to be a verb, even if tagged otherwise: "life sciences study". */
function judge(
  text: string,
  emphasised: readonly string[],
  verb?: string,
): Pick<Fact, "tokens" | "clause" | "isSelfContained" | "needsContext"> {
  const rejection = opensOnTerm(text, emphasised) ? rejectTermSentence(text) : rejectSentence(text);
  if (rejection === "noise" || wordsOf(text).length < 3) {
    return { tokens: [], clause: undefined, isSelfContained: false, needsContext: false };
  }
  const tokens = tagSentence(text);
  const known = tokens.find((t) => t.lower === verb);
  if (known && !isVerbal(known)) known.pos = "VERB";
  const isFit = rejection !== "address" && !isTorn(text, tokens) && !isImperative(text, tokens, emphasised);
  const refersBack = rejection === "context" || refersToOtherSentence(text) || isLoose(tokens);
  return {
    tokens,
    clause: readClause(tokens),
    isSelfContained: isFit && !refersBack,
    needsContext: isFit && refersBack,
  };
}

/** A copy of the fact with another text: a part of it, or its text with the reference resolved. */
export function partOf(fact: Fact, text: string, verb?: string): Fact {
  const emphasised = fact.emphasised.filter((m) => text.toLowerCase().includes(m.toLowerCase()));
  return { ...fact, text, emphasised, ...judge(text, emphasised, verb), parts: [], isPart: true };
}

const asSentence = (text: string) => upperFirst(text).replace(/[\s.,;:]*$/, ".");

const STARTS_WITH_CONDITION = /^(?:if|unless|when|whenever|once|for (?:an?|the|any|each) [^,]{3,60}, if)\b/i;

/** Each clause of a long sentence alone, so that a card asks one thing. */
function splitFact(fact: Fact): Fact[] {
  const ranges = independentClauses(fact.tokens);
  if (ranges.length < 2) return [];
  // "If X, A does this and B does that": B depends on X too.
  const independentRanges = STARTS_WITH_CONDITION.test(fact.text) ? ranges.slice(0, 1) : ranges;
  return independentRanges
    .map(([from, to]) => fact.tokens.slice(from, to))
    .filter((tokens) => tokens.length > 4)
    .map((tokens) => partOf(fact, asSentence(textOf(tokens, fact.text))));
}

/** "… is called T; it carries …" gives the fact that T carries. */
function namedFacts(fact: Fact): Fact[] {
  const at = fact.tokens.findIndex((t, i) => /^(?:it|they)$/.test(t.lower) && fact.tokens[i - 1]?.text === ";");
  if (at === -1 || !ENDS_WITH_NAME.test(fact.text.slice(0, fact.tokens[at]?.start))) return [];
  const name = markedBefore(fact, at - 1, new Set(fact.emphasised.map(phraseKey)));
  return name === undefined
    ? []
    : [partOf(fact, asSentence(`${name} ${textOf(fact.tokens.slice(at + 1), fact.text)}`))];
}

const ENDS_WITH_NAME = /\b(?:called|termed|known as) [^,;.]+; $/;

/** "… T, which carries …" gives the fact that T carries. */
function relativeFacts(fact: Fact): Fact[] {
  const keys = new Set(fact.emphasised.map(phraseKey));
  return fact.tokens.flatMap((token, i) => {
    const isRelativePronoun = /^(?:which|who)$/.test(token.lower) && fact.tokens[i - 1]?.text === ",";
    const name = isRelativePronoun ? markedBefore(fact, i - 1, keys) : undefined;
    const statement = upToComma(cutSecondFact(fact.tokens.slice(i + 1)));
    if (
      name === undefined ||
      /\bshort for (?:an? |the )?$/i.test(fact.text.slice(0, markerOffset(fact, i, name))) ||
      statement.length < 3 ||
      mainVerb([token, ...statement], 1) !== 1
    )
      return [];
    return [partOf(fact, asSentence(`${name} ${textOf(statement, fact.text)}`), statement[0]?.lower)];
  });
}

/**
 * "which match parts, and words called T": the text after the comma is about something else, unless a list continues.
 */
function upToComma(statement: readonly Token[]): Token[] {
  const at = statement.findIndex((t, i) => t.text === "," && /^(?:and|or|but)$/.test(wordAt(statement, i + 1)));
  const isList = statement.slice(0, Math.max(0, at)).some((t) => t.text === ",");
  return at === -1 || isList ? [...statement] : statement.slice(0, at);
}

/** The position of the name before the given hinge. */
const markerOffset = (fact: Fact, hinge: number, name: string) =>
  Math.max(0, (fact.tokens[hinge - 1]?.start ?? 0) - name.length);

/** The emphasised term, with its article, right before the given token. */
function markedBefore(fact: Fact, end: number, keys: ReadonlySet<string>): string | undefined {
  for (let size = Math.min(5, end); size > 0; size--) {
    const part = fact.tokens.slice(end - size, end);
    if (!keys.has(phraseKey(textOf(part, fact.text)))) continue;
    const article = fact.tokens[end - size - 1];
    return textOf(article && /^(?:a|an|the)$/.test(article.lower) ? [article, ...part] : part, fact.text);
  }
  return undefined;
}

const weights = new WeakMap<Fact, number>();

/** The total weight of a sentence's terms; cached, because every candidate of the sentence needs it. */
function termWeight(fact: Fact, lexicon: Lexicon): number {
  const known = weights.get(fact);
  if (known !== undefined) return known;
  const terms = lexicon.terms.findIn(fact.text);
  const weight = terms.reduce((sum: number, t: Term) => sum + t.weight, 0) / Math.sqrt(6 + fact.tokens.length / 2);
  weights.set(fact, weight);
  return weight;
}

/** How important the content of a sentence is for its source. */
export function salience(fact: Fact, lexicon: Lexicon, focus: ReadonlySet<string>): number {
  const weight = termWeight(fact, lexicon);
  const opening = fact.previous === undefined ? 0.12 : 0;
  const aimed = focus.size > 0 && contentStems(fact.text).some((s) => focus.has(s)) ? 1 : 0;
  const size = fact.tokens.length > 34 ? -0.2 : 0;
  return weight + opening + aimed + size + (fact.emphasised.length > 0 ? 0.4 : 0) - (fact.isExample ? 0.4 : 0);
}
