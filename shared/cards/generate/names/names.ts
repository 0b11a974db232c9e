import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "../candidates.ts";
import { type Clause, textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../../source/facts.ts";
import { isNamed, type Lexicon, lowerFirst } from "../../source/lexicon.ts";
import {
  isNounPhrase,
  isPluralWord,
  countContentWords,
  phraseStart,
  withoutArticle,
} from "../../source/noun-phrases.ts";
import { cutSecondFact } from "../../source/clause-splitting.ts";
import { trimMarked } from "../../source/terms.ts";
import { posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isBe } from "#shared/text/verbs.ts";
import { phraseKey, singular } from "#shared/text/words.ts";

const NAMING_PARTICIPLE = /^(?:called|termed|named|dubbed|known|referred|designated)$/;
/** "Fields of study that … are considered T": a name only if T is emphasised. */
const CONSIDERING_PARTICIPLE = /^(?:considered|labeled|labelled)$/;

/** The number of words between "called" and the name: "known as", "referred to as". */
function hookLength(rest: readonly Token[]): number {
  if (rest[0]?.lower === "as") return 1;
  return rest[0]?.lower === "to" && rest[1]?.lower === "as" ? 2 : 0;
}

/** "These small cells", "this form of reproduction": one of several. */
const ONE_OF_SEVERAL =
  /^(?:large|small|two|three|four|five|other|special|specific|similar|different|(?:form|type|kind|sort|part|stage|example|class|group)s?)$/;

/** "These nucleotide triplets are called": enough words after "these" identify them. */
function describedPhrase(clause: Clause, fact: Fact): { tokens: readonly Token[]; text: string } | undefined {
  const first = clause.subject[0]?.lower ?? "";
  if (first !== "this" && first !== "these") return { tokens: clause.subject, text: textOf(clause.subject, fact.text) };
  const tokens = clause.subject.slice(1);
  const statement = textOf(tokens, fact.text);
  const isPlural = first === "these";
  const contentCount = countContentWords(tokens);
  if (ONE_OF_SEVERAL.test(wordAt(tokens, 0)) && contentCount < 5) return undefined;
  const isEnough = tokens.length > 3 || contentCount > 2;
  return isEnough ? { tokens, text: isPlural ? statement : `the ${statement}` } : undefined;
}

const isName = (tokens: readonly Token[]) =>
  isShort(tokens, 5) && isNounPhrase(tokens) && !tokens.some((t) => t.pos === "ADP");

/** "S is called T": asks for the name. */
function askName(fact: Fact, clause: Clause, lexicon: Lexicon): Candidate[] {
  const hookWords = hookLength(clause.rest);
  const name = withoutArticle(cutSecondFact(clause.rest.slice(hookWords)));
  const described = describedPhrase(clause, fact);
  const count = wordCount(described?.text ?? "");
  if (!described || count < 2 || count > 20 || !isNamed(described.tokens, lexicon) || !isName(name)) return [];
  const lead = clause.lead.length > 1 ? `${textOf(clause.lead, fact.text)}, what` : "what";
  const be = clause.verbs[0]?.lower ?? "is";
  const group = textOf(clause.verbs, fact.text).slice(be.length).trim();
  const hooked = textOf(clause.rest.slice(0, hookWords), fact.text);
  const named = textOf(name, fact.text);
  const question = asQuestion(lead, be, lowerFirst(described.text, lexicon), group, hooked);
  return [{ style: "term", question, answer: asAnswer(named), fact, termKey: phraseKey(named) }];
}

/** "S is defined as …": asks for the definition. */
function askDefinition(fact: Fact, clause: Clause, lexicon: Lexicon): Candidate[] {
  const subject = textOf(clause.subject, fact.text);
  if (!isNamed(clause.subject, lexicon) || hookLength(clause.rest) === 0 || wordCount(subject) > 12) return [];
  // "may be defined", "has been defined": the question needs all auxiliaries.
  const [first, ...others] = clause.verbs;
  const question = asQuestion("How", first?.lower, lowerFirst(subject, lexicon), textOf(others, fact.text));
  return [{ style: "definition", question, answer: asAnswer(textOf(cutSecondFact(clause.rest), fact.text)), fact }];
}

const namesMarked = ({ emphasised, text }: Fact, { rest }: Clause) =>
  emphasised.some((m) => phraseKey(m) === phraseKey(textOf(withoutArticle(rest), text)));

/** "X is called Y", "X is known as Y", "X is defined as Y". */
export function askNames(fact: Fact, lexicon: Lexicon): Candidate[] {
  const clause = fact.clause;
  const verb = clause?.verbs.at(-1)?.lower ?? "";
  if (!clause || clause.verbs.length < 2) return [];
  if (verb === "defined") return fact.isSelfContained ? askDefinition(fact, clause, lexicon) : [];
  const isCalled = NAMING_PARTICIPLE.test(verb) || (CONSIDERING_PARTICIPLE.test(verb) && namesMarked(fact, clause));
  return isCalled ? askName(fact, clause, lexicon) : [];
}

/** The emphasised term right after "called", as written. */
function nameAfter(fact: Fact, verbIndex: number): string | undefined {
  const skip = fact.tokens[verbIndex + 1]?.lower === "as" ? 2 : 1;
  const after = fact.text.slice(fact.tokens[verbIndex + skip]?.start ?? fact.text.length).replace(/^(?:the|a|an) /, "");
  const name = fact.emphasised.map(trimMarked).find((m) => after.toLowerCase().startsWith(m.toLowerCase()));
  return name === undefined ? undefined : after.slice(0, name.length);
}

/** The noun phrase that gets the name, if it is specific enough to identify the named thing. */
function namedPhrase(tokens: readonly Token[], verbIndex: number, lexicon: Lexicon): readonly Token[] | undefined {
  const end = wordAt(tokens, verbIndex - 1) === "," ? verbIndex - 1 : verbIndex;
  const described = tokens.slice(phraseStart(tokens, end), end);
  const isEnough = countContentWords(described) > 2 && isNounPhrase(described) && posAt(described, 0) !== "NUM";
  return isEnough && isNamed(described, lexicon) ? described : undefined;
}

/** "a mark for the mouth of a wide channel called T": the channel is called T, not the mark. */
function nearestPhrase(described: readonly Token[]): readonly Token[] | undefined {
  const start = described.findLastIndex(
    (t, i) => i > 0 && /^(?:a|an)$/.test(t.lower) && posAt(described, i - 1) === "ADP",
  );
  if (start === -1) return described;
  const phrase = described.slice(start);
  return countContentWords(phrase) > 2 ? phrase : undefined;
}

/** "a tangle of threads called hyphae": the threads are called hyphae, not the tangle. */
function matchingPhrase(whole: readonly Token[], name: string): readonly Token[] | undefined {
  const described = nearestPhrase(whole);
  if (!described) return undefined;
  const last = name.toLowerCase().split(" ").at(-1) ?? "";
  if (singular(last) === last || !isOneThing(described)) return described;
  const complement = described.slice(described.findLastIndex((t) => t.lower === "of") + 1);
  return complement.length < described.length && countContentWords(complement) > 1 && !isOneThing(complement)
    ? complement
    : undefined;
}

function isOneThing(described: readonly Token[]): boolean {
  const preposition = described.findIndex((t) => t.pos === "ADP");
  const head = wordAt(described, preposition > 0 ? preposition - 1 : described.length - 1);
  return /^(?:a|an)$/.test(wordAt(described, 0)) || !isPluralWord(head);
}

/** "an area within the nucleus called the T": asks for the name if the noun phrase is long enough. */
export function askInlineName(fact: Fact, lexicon: Lexicon): Candidate[] {
  const verbIndex = fact.tokens.findIndex(
    (t, i) => i > 3 && NAMING_PARTICIPLE.test(t.lower) && !isBe(fact.tokens[i - 1]),
  );
  const name = verbIndex === -1 ? undefined : nameAfter(fact, verbIndex);
  const whole = name === undefined ? undefined : namedPhrase(fact.tokens, verbIndex, lexicon);
  const described = whole && name !== undefined ? matchingPhrase(whole, name) : whole;
  if (name === undefined || !described) return [];
  const phrase = lowerFirst(textOf(described, fact.text), lexicon);
  const question = asQuestion("What", isOneThing(described) ? "is" : "are", phrase, "called");
  return [{ style: "term", question, answer: asAnswer(name), fact, termKey: phraseKey(name) }];
}
