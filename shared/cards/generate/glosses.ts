import { asAnswer, asQuestion, type Candidate, wordCount } from "./candidates.ts";
import { textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { type Lexicon, lowerFirst, upperFirst } from "../source/lexicon.ts";
import { BLANK } from "../schema.ts";
import { isNounPhrase, isPluralWord } from "../source/noun-phrases.ts";
import { refersToOtherSentence } from "../source/sentence-rejection.ts";
import { isNominal, isVerbal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isFinite, RELATIVES } from "#shared/text/verbs.ts";
import { phraseKey } from "#shared/text/words.ts";

/** "T, a membrane that …, does": an apposition defines T. */
export function askApposition(fact: Fact, lexicon: Lexicon): Candidate[] {
  for (let i = 1; i < fact.tokens.length - 4; i++) {
    const gloss = glossAfter(fact.tokens, i);
    const name = gloss ? nameBefore(fact, i, lexicon) : undefined;
    const term = name === undefined ? undefined : lexicon.terms.get(name);
    if (!gloss || name === undefined || !term) continue;
    const statement = shortenGloss(textOf(gloss, fact.text));
    const be = isPluralWord(name) && !/^an? /.test(statement) ? "are" : "is";
    const question = asQuestion("What", be, lowerFirst(be === "is" ? withArticle(name, fact) : name, lexicon));
    const shared = { fact, termKey: term.key };
    return [
      { style: "definition", question, answer: asAnswer(statement), ...shared },
      ...askName(name, statement, shared),
    ];
  }
  return [];
}

/** A long definition loses its article. */
const shortenGloss = (statement: string) =>
  wordCount(statement) > MAX_ANSWER_WORDS ? statement.replace(/^(?:the|an?) /, "") : statement;
const MAX_ANSWER_WORDS = 24;

/** Asks for the term, if the definition is long enough to identify it. */
function askName(name: string, statement: string, shared: Pick<Candidate, "fact" | "termKey">): Candidate[] {
  if (wordCount(statement) < 6 || refersToOtherSentence(statement)) return [];
  return [
    { style: "term", question: asQuestion("What is the term for", statement), answer: asAnswer(name), ...shared },
  ];
}

/** The text between this comma or dash and the next, if it can only be an apposition. */
function glossAfter(tokens: readonly Token[], at: number): readonly Token[] | undefined {
  const separator = wordAt(tokens, at);
  const opens = /^[,—–]$/.test(separator) && opensGloss(tokens, at + 1);
  if (!opens || isLeadComma(tokens, at)) return undefined;
  // Between dashes a comma is part of the text.
  const ends = separator === "," ? /^[,.;:—–]$/ : /^[.;:—–]$/;
  const close = tokens.findIndex((t, j) => j > at + 1 && ends.test(t.text));
  const gloss = tokens.slice(at + 1, close === -1 ? tokens.length : close);
  if (separator !== ",") return explains(gloss) ? gloss : undefined;
  const listed = listedGloss(tokens, at);
  if (listed || isListed(tokens, at, close)) return listed;
  if (!explains(gloss)) return undefined;
  const end = listEnd(tokens, close);
  return end === undefined ? gloss : tokens.slice(at + 1, end);
}

/** "a gas that is left in lamps, stoves, and ovens.": the end of the list, which the first comma would cut off. */
function listEnd(tokens: readonly Token[], comma: number): number | undefined {
  const stop = tokens.findIndex((t, j) => j > comma && /^[.;:—–]$/.test(t.text));
  const listTokens = tokens.slice(comma, stop);
  const commas = listTokens.flatMap((t, j) => (t.text === "," ? [j] : []));
  const hasShortItems = commas.every((position, j) => (commas[j + 1] ?? listTokens.length) - position < 5);
  const isList = stop > 0 && commas.length > 1 && /^(?:and|or)$/.test(wordAt(listTokens, (commas.at(-1) ?? 0) + 1));
  return isList && hasShortItems && !listTokens.some((_, j) => isFinite(listTokens, j)) ? stop : undefined;
}

/** "a layer", "the pain", and "lymphocytes that": plurals need no article. */
function opensGloss(tokens: readonly Token[], at: number): boolean {
  if (/^(?:a|an|the)$/.test(wordAt(tokens, at))) return true;
  let head = at;
  while (head < at + 2 && modifies(tokens, head)) head++;
  return (
    posAt(tokens, head) === "NOUN" &&
    isPluralWord(wordAt(tokens, head)) &&
    /^(?:that|which|who)$/.test(wordAt(tokens, head + 1))
  );
}

const modifies = (tokens: readonly Token[], i: number) =>
  /^(?:ADJ|NOUN|VERB)$/.test(posAt(tokens, i)) && !isPluralWord(wordAt(tokens, i)) && !isFinite(tokens, i);

const ARTICLE = /^(?:an?|the)$/;

/**
 * ", the redness, swelling, heat, and pain that result from …": a list up to the end of the sentence. In "the mast, the
 * keel, the deck, and the rudder", where the last item has an article too, the first is one of the list.
 */
function listedGloss(tokens: readonly Token[], at: number): readonly Token[] | undefined {
  const stop = tokens.findIndex((t, j) => j > at + 1 && /^[.;:—–]$/.test(t.text));
  const gloss = tokens.slice(at + 1, stop === -1 ? tokens.length : stop);
  const commas = gloss.flatMap((t, j) => (t.text === "," ? [j] : []));
  const last = commas.at(-1) ?? -1;
  const isList =
    commas.length > 1 &&
    /^(?:and|or)$/.test(wordAt(gloss, last + 1)) &&
    !ARTICLE.test(wordAt(gloss, last + 2)) &&
    commas.every((c, j) => j === 0 || c - (commas[j - 1] ?? 0) < 4);
  const head = gloss.slice(0, commas[0]);
  return isList &&
    head.length < 5 &&
    isNounPhrase(head) &&
    gloss.length < 32 &&
    !hasLooseVerb(gloss) &&
    isSelfContained(gloss)
    ? gloss
    : undefined;
}

const explains = (gloss: readonly Token[]) =>
  gloss.length > 4 && isNounPhrase(gloss) && !hasLooseVerb(gloss) && isSelfContained(gloss) && !endsList(gloss);

/** "A, the B or a C": two more items of a list. */
function endsList(gloss: readonly Token[]): boolean {
  const joint = gloss.findIndex((t, i) => /^(?:and|or)$/.test(t.lower) && posAt(gloss, i + 1) === "DET");
  const opens = /^(?:ADP|VERB)$/;
  return joint > 0 && !gloss.slice(0, joint).some((t) => RELATIVES.has(t.lower) || opens.test(t.pos));
}

const isSelfContained = (gloss: readonly Token[]) =>
  !gloss.some((t, i) => t.lower === "of" && /^(?:which|whom)$/.test(wordAt(gloss, i + 1))) &&
  !refersToOtherSentence(gloss.map((t) => t.text).join(" "));

/** The comma after "In the first stage", or after "while for the last stage", starts no apposition. */
function isLeadComma(tokens: readonly Token[], comma: number): boolean {
  const before = tokens.slice(0, comma);
  const from = before.findLastIndex((t) => /^(?:while|whereas|but|because|since)$/.test(t.lower)) + 1;
  return /^(?:ADP|SCONJ|ADV)$/.test(posAt(before, from)) && !before.slice(from).some((t) => t.text === ",");
}

/** A finite verb without "that" or "which" rules out an apposition. */
function hasLooseVerb(tokens: readonly Token[]): boolean {
  const isAfterConjunction = (i: number) => /^(?:and|or)$/.test(wordAt(tokens, i - 1));
  const verbs = tokens.filter(
    (t, i) => isFinite(tokens, i) && !/(?:ed|en)$/.test(t.lower) && !isVerbal(tokens[i - 1]) && !isAfterConjunction(i),
  );
  return verbs.length > tokens.filter((t) => RELATIVES.has(t.lower)).length;
}

/** Two commas without a verb in between belong to a list. */
const isListed = (tokens: readonly Token[], comma: number, close: number) =>
  /^(?:and|or)$/.test(tokens[close + 1]?.lower ?? "") ||
  tokens.slice(0, comma).some((t, i) => t.text === "," && i > comma - 6 && !hasVerbBetween(tokens, i, comma));

const hasVerbBetween = (tokens: readonly Token[], from: number, to: number) =>
  tokens.some((_, i) => i > from && i < to && isFinite(tokens, i));

/** The objects of these verbs may follow a comma. */
const TRANSFER_VERB =
  /^(?:serve|file|submit|send|deliver|give|present|provide|report|transmit|forward|disclose|supply|issue)s?$/;

/** The emphasised term right before the comma. */
function nameBefore(fact: Fact, comma: number, lexicon: Lexicon): string | undefined {
  for (let size = Math.min(5, comma); size > 0; size--) {
    const name = textOf(fact.tokens.slice(comma - size, comma), fact.text);
    if (!lexicon.terms.get(name)?.isMarked || /^(?:the|a|an) /i.test(name)) continue;
    // "messenger RNA, a copy that": the definition isn't one of RNA.
    if (/^(?:ADJ|NOUN|PROPN)$/.test(posAt(fact.tokens, comma - size - 1))) return undefined;
    // "the wall of the cell, a layer that": the definition is one of the wall.
    const from = comma - size - (posAt(fact.tokens, comma - size - 1) === "DET" ? 1 : 0);
    // "serve upon the T, a statement": the statement is the object.
    if (posAt(fact.tokens, from - 1) === "ADP" && TRANSFER_VERB.test(wordAt(fact.tokens, from - 2))) return undefined;
    const isOfNoun = wordAt(fact.tokens, from - 1) === "of" && isNominal(fact.tokens[from - 2]);
    return isOfNoun && !agreesAlone(fact.tokens, comma, name, wordAt(fact.tokens, from - 2)) ? undefined : name;
  }
  return undefined;
}

/** "a population of T cells, lymphocytes that": the plural doesn't match the population. */
const agreesAlone = (tokens: readonly Token[], comma: number, name: string, head: string) =>
  !/^(?:a|an|the)$/.test(wordAt(tokens, comma + 1)) && isPluralWord(name) && !isPluralWord(head);

export function withArticle(name: string, fact: Fact): string {
  const at = fact.text.toLowerCase().indexOf(name.toLowerCase());
  const article = /\b(a|an|the)\s+$/i.exec(fact.text.slice(0, at))?.[1]?.toLowerCase();
  return article === undefined ? name : `${article} ${name}`;
}

/** A definition, with an article or, as often in brackets, without one: "(molecule that absorbs light)". */
const TERM_WITH_GLOSS =
  /(\p{L}[\p{L}\p{N} '’-]{1,50}?)\s*\(((?:(?:a|an|the)\s|(?:\p{L}{3,}\s){1,3}(?:that|which|who)\s)[^()]{5,120})\)/giu;

/** "an abstract (a concise summary)": the brackets define the emphasised term before them. */
export function askBracketed(fact: Fact, lexicon: Lexicon): Candidate[] {
  return [...fact.original.matchAll(TERM_WITH_GLOSS)].flatMap(([, before = "", gloss = ""]): Candidate[] => {
    const name = fact.emphasised.find((m) => before.toLowerCase().endsWith(m.toLowerCase()));
    const term = name === undefined ? undefined : lexicon.terms.get(name);
    if (name === undefined || !term || wordCount(gloss) < 3 || refersToOtherSentence(gloss)) return [];
    const be = isPluralWord(name) && !/^an? /.test(gloss) ? "are" : "is";
    const question = asQuestion("What", be, lowerFirst(be === "is" ? withArticle(name, fact) : name, lexicon));
    return [{ style: "definition", question, answer: asAnswer(gloss), fact, termKey: term.key }];
  });
}

/** A definition up to the end of its sentence; converters leave a backslash before the colon. */
const AFTER_COLON = /^\\?: ((?:(?:an?|the) |\p{Ll}+ (?:of|that|which|who) )[^.;:()]{12,140}?)(?: \([^()]*\))?[.;]/iu;
/** "if a lamp fails, the next one …", "when a ship …": what the term stands for happens. */
const CLAUSE_AFTER_COLON = /^\\?: ((?:if|when) [^.;:()]{20,180}?)(?: \([^()]*\))?[.;]/i;

/** What follows the term and a colon, if it explains the term. */
function glossAfterColon(following: string): string | undefined {
  const gloss = AFTER_COLON.exec(following)?.[1];
  const isDefinition = gloss !== undefined && /\b(?:that|which|who|where|when|of|for)\b/.test(gloss);
  const found = isDefinition ? gloss : CLAUSE_AFTER_COLON.exec(following)?.[1];
  return found === undefined || refersToOtherSentence(found) ? undefined : found;
}

/** "by using a sextant: an instrument that measures angles": the text after the colon defines the emphasised term. */
export function askAfterColon(fact: Fact, lexicon: Lexicon): Candidate[] {
  return fact.emphasised.flatMap((name): Candidate[] => {
    const at = fact.original.indexOf(name);
    const gloss = glossAfterColon(fact.original.slice(at + name.length));
    const term = lexicon.terms.get(name);
    if (at < 1 || !term || gloss === undefined) return [];
    const be = isPluralWord(name) ? "are" : "is";
    const named = withArticle(name, fact);
    const shared = { fact, termKey: term.key };
    if (wordCount(gloss) <= MAX_ANSWER_WORDS) {
      const question = asQuestion("What", be, lowerFirst(be === "is" ? named : name, lexicon));
      return [{ style: "definition", question, answer: asAnswer(gloss), ...shared }];
    }
    const article = /^(?:the|an?) /.exec(named)?.[0] ?? "";
    return [{ style: "cloze", question: `${upperFirst(article)}${BLANK}: ${gloss}.`, answer: name, ...shared }];
  });
}

const PARENTHETICAL_NAME =
  /((?:\p{L}[\p{L}\p{N}'’-]*\s+){2,7})\((?:(?:also |sometimes |often )?(?:called|termed|known as|named)\s+)(?:the |an? )?([^(),;]{2,50})\)/giu;

/** "the reaction center of the photosystem (called T)": asks for the emphasised name in the brackets. */
export function askParentheticalName(fact: Fact, lexicon: Lexicon): Candidate[] {
  return [...fact.original.matchAll(PARENTHETICAL_NAME)].flatMap(([, before = "", name = ""]): Candidate[] => {
    const isMarked = fact.emphasised.some((m) => phraseKey(m) === phraseKey(name));
    const phrase = /\b(?:the|an?) (?:(?!\b(?:the|an?)\b).)+$/i.exec(before.trim())?.[0] ?? "";
    if (!isMarked || wordCount(phrase) < 3 || refersToOtherSentence(phrase)) return [];
    const question = asQuestion("What is", lowerFirst(phrase, lexicon), "called");
    return [{ style: "term", question, answer: asAnswer(name), fact, termKey: phraseKey(name) }];
  });
}
