import { type Clause, readClause, textOf } from "#shared/text/clauses.ts";
import { cleanSentence, isExample } from "./cleaning.ts";
import { readLabel } from "./labels.ts";
import { type Lexicon, upperFirst } from "./lexicon.ts";
import { pointsBack, rejectSentence } from "./sentence-rejection.ts";
import { cutSecondFact, independentClauses } from "./clause-splitting.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import type { MarkedTerm, Term } from "./terms.ts";
import { isNominal, isVerbal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isAuxiliary, mainVerb } from "#shared/text/verbs.ts";
import { contentStems, phraseKey, wordsOf } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";

/** A sentence of the source, as it stood and as it was read. */
export interface Fact {
  passage: Passage;
  start: number;
  end: number;
  raw: string;
  /** Cleaned: what questions are made of. */
  text: string;
  /** "Isthmus" in "Isthmus: a strip of land", taken off the text. */
  label: string | undefined;
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
  /** The sentence after it in the same passage. */
  next: Fact | undefined;
  order: number;
  /** One clause of a sentence, or what it tells in passing: what it leans on stands elsewhere in the sentence. */
  isPart: boolean;
  /** The clauses of the sentence as facts of their own, when it has several. */
  parts: Fact[];
}

const MAX_FACTS_PER_PASSAGE = 400;
const MAX_SENTENCE = 600;

/** Sentences of one passage, tagged and judged. */
export function readFacts(passage: Passage, marked: readonly MarkedTerm[], firstOrder: number): Fact[] {
  const facts: Fact[] = [];
  const ownText = marked.filter((m) => m.passage === passage);
  for (const { text: raw, start, end } of splitSentences(passage.text).slice(0, MAX_FACTS_PER_PASSAGE)) {
    if (raw.length > MAX_SENTENCE) continue;
    const { label, text, isPoint } = readText(passage, raw, start);
    const names = ownText.filter((m) => m.start >= start && m.end <= end + 1).map((m) => m.text);
    const fact: Fact = {
      passage,
      start,
      end,
      raw,
      text,
      label: label?.name,
      ...judge(text, names),
      isExample: isExample(raw),
      marked: names,
      previous: facts.at(-1),
      next: undefined,
      order: firstOrder + facts.length,
      isPart: false,
      parts: [],
    };
    if (label && mainVerb(fact.tokens) < 1) fact.isSound = false;
    if (isPoint && !isStatement(fact)) Object.assign(fact, { isSound: false, isLeaning: false });
    fact.parts = [...splitFact(fact), ...relativeFacts(fact), ...namedFacts(fact)];
    const last = facts.at(-1);
    if (last) last.next = fact;
    facts.push(fact);
  }
  return facts;
}

/** What of a sentence is read: without its label and, where a point has none, with a full stop. */
function readText(passage: Passage, raw: string, start: number) {
  const isPoint = isBarePoint(passage, raw);
  const cleaned = isPoint ? `${cleanSentence(raw)}.` : cleanSentence(raw);
  const label = LIST_MARKER.test(passage.text.slice(0, start)) ? readLabel(cleaned) : undefined;
  return { label, text: label?.text ?? cleaned, isPoint: isPoint && label === undefined };
}

/** "Cells have an extra copy of chromosome 21": a point of a slide has no full stop. */
const isBarePoint = ({ kind, text }: Passage, raw: string) =>
  kind === "list_item" && raw.length > text.trim().length - 4 && /[\p{L}\p{N})]$/u.test(raw);

/** Someone does something: most points are no sentences, and no card can be made of half of one. */
function isStatement({ clause, text }: Fact): boolean {
  const [verb] = clause?.verbs ?? [];
  if (!clause || !verb || clause.lead.length > 0 || wordsOf(text).length > 30) return false;
  const isPlain = isAuxiliary(verb) || (verb.lower !== verb.lemma && verb.lower.endsWith("s")) || hasPlural(clause);
  return isPlain && (clause.rest.length > 1 || clause.verbs.length > 1);
}

const hasPlural = ({ subject, verbs: [verb] }: Clause) =>
  verb?.lower === verb?.lemma && /[^sui]s$/.test(subject.at(-1)?.lower ?? "");

/** What may stand before a label: nothing, or the mark of its point in a list. */
const LIST_MARKER = /^\s*(?:\(?(?:\d{1,2}|[a-z]|[ivx]{2,4})[.)])?\s*$/i;

/** "Review each claim", "Ensure that": an order, whatever the tagger makes of its first word. */
const ORDERS =
  /^(?:review|ensure|make|provide|check|verify|use|keep|file|submit|obtain|contact|send|complete|maintain|record|report|call|ask|add|remove|select|click|open|enter|read|write|choose|set|avoid|do|determine|confirm|prepare|take|give|put|follow|apply|create|run|install|press|type|start|stop|turn|place|draw|find|show|list|name|state|define|practi[cs]e|include|exclude|allow|require|object|notify|consult|refer|respond|attend|advise|inform|request|return|collect|examine|inspect|assess|evaluate|monitor|document|attach|enclose|sign|pay|seek|serve|secure|establish|develop|implement|schedule|conduct) (?:sure|the|an?|all|any|each|every|both|your|their|its|that|whether|only|as (?!a\b)|at least|not)\b/i;
/** "If the fee is missing, notify the clerk": the order comes after its condition. */
const CONDITION = /^(?:if|when|before|after|in|for|to|once|during|at|where|unless) [^,]{3,100}, /i;

/** "Review promptly the claims". */
const ADVERB = /^(\p{Lu}?\p{Ll}+) \p{Ll}+ly(?= )/u;
/** "To understand heat, think of a stove". */
const THINKS = /^(?:think|imagine|consider|suppose|picture|recall|remember|note|notice|compare|look|see|try)\b/i;

const IMPERATIVE =
  /^(?:notice|note|recall|consider|imagine|think|remember|suppose|observe|compare|see|look|visit|watch|explore|learn|try|explain|describe|discuss|identify|predict|calculate|let)\b(?! of)/i;

/** "Drop the lock": no name goes on with an article. */
const isOrderOfThing = (text: string, first: Token | undefined) =>
  /^\p{Lu}\p{Ll}+ (?:the|an?) /u.test(text) &&
  /^(?:VERB|NOUN|PROPN)$/.test(first?.pos ?? "") &&
  !/(?:ing|ed|en)$/.test(first?.lower ?? "");

/** "Cross reactivity describes": a name may open with a word that is a verb elsewhere. */
function isImperative(text: string, tokens: readonly Token[], marked: readonly string[]): boolean {
  const [first] = tokens;
  const order = text.replace(CONDITION, "");
  if (ORDERS.test(order.replace(ADVERB, "$1")) || (order !== text && THINKS.test(order))) return true;
  if (marked.some((m) => text.toLowerCase().startsWith(m.toLowerCase()))) return false;
  if (IMPERATIVE.test(text) || isOrderOfThing(text, first)) return true;
  // "Mature cells are": the word before a noun that has its own verb gives no order.
  if (/^(?:NOUN|ADJ|PROPN)$/.test(posAt(tokens, 1)) && isAuxiliary(tokens[mainVerb(tokens, 1)])) return false;
  return first?.pos === "VERB" && !/(?:ing|ed)$/.test(first.lower) && first.lemma === first.lower;
}

/** "Referred to any system": what was referred to stands elsewhere. "Activated cells divide" has a verb of its own. */
const isTorn = (text: string, tokens: readonly Token[]) =>
  posAt(tokens, 0) === "VERB" &&
  wordAt(tokens, 0).endsWith("ed") &&
  !/,|\b(?:is|are|was|were)\b/.test(text) &&
  !(isNominal(tokens[1]) && mainVerb(tokens, 1) > 1);

/** "Some play a part": some of what? */
const isLoose = (tokens: readonly Token[]) =>
  /^(?:some|many|most|several|few|both|all|one|each)$/.test(wordAt(tokens, 0)) && isVerbal(tokens[1]);

/** `verb` is known to be one, whatever the tagger makes of it: "life sciences study". */
function judge(
  text: string,
  marked: readonly string[],
  verb?: string,
): Pick<Fact, "tokens" | "clause" | "isSound" | "isLeaning"> {
  const refusal = rejectSentence(text);
  if (refusal === "noise" || wordsOf(text).length < 3) {
    return { tokens: [], clause: undefined, isSound: false, isLeaning: false };
  }
  const tokens = tagSentence(text);
  const known = tokens.find((t) => t.lower === verb);
  if (known && !isVerbal(known)) known.pos = "VERB";
  const isFit = refusal !== "address" && !isTorn(text, tokens) && !isImperative(text, tokens, marked);
  const leans = refusal === "context" || pointsBack(text) || isLoose(tokens);
  return { tokens, clause: readClause(tokens), isSound: isFit && !leans, isLeaning: isFit && leans };
}

/** The same fact with other words: a part of them, or what they lean on put in. */
export function partOf(fact: Fact, text: string, verb?: string): Fact {
  const marked = fact.marked.filter((m) => text.toLowerCase().includes(m.toLowerCase()));
  return { ...fact, text, marked, ...judge(text, marked, verb), parts: [], isPart: true };
}

const asSentence = (text: string) => upperFirst(text).replace(/[\s.,;:]*$/, ".");

const CONDITIONS = /^(?:if|unless|when|whenever|once|for (?:an?|the|any|each) [^,]{3,60}, if)\b/i;

/** Each clause of a long sentence alone, so that a card asks one thing. */
function splitFact(fact: Fact): Fact[] {
  const ranges = independentClauses(fact.tokens);
  if (ranges.length < 2) return [];
  // "If X, A does this and B does that": B does so only then.
  const ownText = CONDITIONS.test(fact.text) ? ranges.slice(0, 1) : ranges;
  return ownText
    .map(([from, to]) => fact.tokens.slice(from, to))
    .filter((tokens) => tokens.length > 4)
    .map((tokens) => partOf(fact, asSentence(textOf(tokens, fact.text))));
}

/** "… is called T; it carries …" says that T carries. */
function namedFacts(fact: Fact): Fact[] {
  const at = fact.tokens.findIndex((t, i) => /^(?:it|they)$/.test(t.lower) && fact.tokens[i - 1]?.text === ";");
  if (at === -1 || !NAMED.test(fact.text.slice(0, fact.tokens[at]?.start))) return [];
  const name = markedBefore(fact, at - 1, new Set(fact.marked.map(phraseKey)));
  return name === undefined
    ? []
    : [partOf(fact, asSentence(`${name} ${textOf(fact.tokens.slice(at + 1), fact.text)}`))];
}

const NAMED = /\b(?:called|termed|known as) [^,;.]+; $/;

/** "… T, which carries …" says that T carries: a fact about a marked term, told in passing. */
function relativeFacts(fact: Fact): Fact[] {
  const keys = new Set(fact.marked.map(phraseKey));
  return fact.tokens.flatMap((token, i) => {
    const isHinge = /^(?:which|who)$/.test(token.lower) && fact.tokens[i - 1]?.text === ",";
    const name = isHinge ? markedBefore(fact, i - 1, keys) : undefined;
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

/** "which match parts, and words called T": what follows the comma is told of something else. A list goes on. */
function upToComma(statement: readonly Token[]): Token[] {
  const at = statement.findIndex((t, i) => t.text === "," && /^(?:and|or|but)$/.test(wordAt(statement, i + 1)));
  const isList = statement.slice(0, Math.max(0, at)).some((t) => t.text === ",");
  return at === -1 || isList ? [...statement] : statement.slice(0, at);
}

/** Where the name before the given hinge stands. */
const markerOffset = (fact: Fact, hinge: number, name: string) =>
  Math.max(0, (fact.tokens[hinge - 1]?.start ?? 0) - name.length);

/** The marked term, with its article, that ends right before the given token. */
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

/** What the terms of a sentence weigh together; reckoned once, since every candidate of the sentence asks for it. */
function termWeight(fact: Fact, lexicon: Lexicon): number {
  const known = weights.get(fact);
  if (known !== undefined) return known;
  const terms = lexicon.terms.within(fact.text);
  const weight = terms.reduce((sum: number, t: Term) => sum + t.weight, 0) / Math.sqrt(6 + fact.tokens.length / 2);
  weights.set(fact, weight);
  return weight;
}

/** How much of the source's matter a sentence carries. */
export function salience(fact: Fact, lexicon: Lexicon, focus: ReadonlySet<string>): number {
  const weight = termWeight(fact, lexicon);
  const opening = fact.previous === undefined ? 0.12 : 0;
  const aimed = focus.size > 0 && contentStems(fact.text).some((s) => focus.has(s)) ? 1 : 0;
  const size = fact.tokens.length > 34 ? -0.2 : 0;
  return weight + opening + aimed + size + (fact.marked.length > 0 ? 0.4 : 0) - (fact.isExample ? 0.4 : 0);
}
