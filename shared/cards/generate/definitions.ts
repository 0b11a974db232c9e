import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "./candidates.ts";
import { type Clause, textOf, trimEnd } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { isTermLabel } from "../source/labels.ts";
import { askAfterColon, askApposition, askBracketed, askParentheticalName } from "./glosses.ts";
import { askInlineName, askNames } from "./names/names.ts";
import { isNamed, type Lexicon, lowerFirst, isRecurringLabel, expandShortForms } from "../source/lexicon.ts";
import { isNounPhrase, isPluralWord, withoutArticle } from "../source/noun-phrases.ts";
import { refersToOtherSentence, rejectSentence } from "../source/sentence-rejection.ts";
import { cutSecondFact } from "../source/clause-splitting.ts";
import { askShortForms } from "./names/short-forms.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isModal, mainVerb, RELATIVES } from "#shared/text/verbs.ts";
import { bareName, containsPhrase, phraseKey } from "#shared/text/words.ts";

const VAGUE_HEAD =
  /^(?:example|result|reason|difference|way|type|kind|case|one|exception|part|fact|problem|answer|point|idea|question|advantage|disadvantage|step|number|goal|key|most|majority|rest|others|all|some|many|each|equation)s?$/;

/** "One X is", "Examples of": a statement about some, not a definition. */
const isDefinable = (subject: readonly Token[]) =>
  !subject.some((t, i) => VAGUE_HEAD.test(t.lower) && (i < 2 || subject[i + 1]?.lower === "of")) &&
  !subject.some(
    (t) => t.pos === "VERB" || t.pos === "NUM" || /^(?:,|familiar|famous|well-known|so-called)$/.test(t.lower),
  );

const DEFINITION_OPENING = /^(?:a|an|the|any|one|\p{Ll}+s|\p{Ll}+ \p{Ll}+s)\b/u;
const COMPARISON =
  /^(?:the (?:same|most|first|only|next|last|other|main|best|result|case|reason|key|largest|smallest)|one of|a (?:good|great|better|common|result|matter|part|lot|few|little|major|key|great deal|number|form|type|kind) |an (?:example|important|essential|excellent|integral))\b/i;

const PRAISE =
  /^an? (?:very |highly |most )?(?:popular|common|important|powerful|useful|well-known|simple|major|key|great|good|typical)\b/i;

/** "A classic example of it", "an obsolete feature", "a more useful summary": a remark instead of a definition. */
const REMARK =
  /^(?:an?|the) (?:(?:even|much|far) )?(?:more|less|better|worse|simpler|closer) |^the (?:culmination|backbone|heart|cornerstone|hallmark|epitome|essence) of\b|^(?:an?|one|the) (?:\p{L}+ )?examples? of\b|\bno longer\b|^(?:an?|the) (?:[\p{L}-]+ )?(?:features?|things?|concepts?|groups?|parts?|terms?|options?|approach)$|^an? (?:type|kind|form|sort|class|group) of (?:\S+ )?\S+$|^(?:an?|the) (?:crucial|vital|essential|integral|central|critical) (?:component|part|element|role|feature)\b|\bitself$/iu;

/** "A popular model within the community": praise. */
const isPraise = (statement: string) =>
  PRAISE.test(statement) && !/\b(?:that|which|who|where|for|to|by|of)\b/.test(statement);

/** "The source of many enzymes": a relation instead of a definition. */
const PART_OF =
  /^((?:the|an?) (?:(?:main|major|primary|common|chief|important|key) )?(?:source|basis|cause|site|home|feature|product|result|symptom|sign|consequence|goal|foundation|starting point) (?:of|for)) (.{8,})$/iu;

/** "A great example": of what? */
const EMPTY_DEFINITION =
  /^(?:an?|the|one|some) (?:\p{L}+ ){0,2}(?:examples?|one|things?|ways?|cases?|choices?|options?|ideas?|matters?|issues?|reasons?|problems?|facts?|points?|topics?|starts?|answers?|questions?|exceptions?)$/iu;

const isGeneric = (subject: readonly Token[]) => /^(?:a|an)$/.test(wordAt(subject, 0)) && subject.length < 5;

/** "strings are UTF-8 encoded": a property instead of a definition. */
const statesManner = (rest: readonly Token[]) =>
  posAt(rest, rest.length - 1) === "VERB" &&
  wordAt(rest, rest.length - 1).endsWith("ed") &&
  !rest.some((t) => RELATIVES.has(t.lower));

/** "X is a Y that …" without anything before it: a definition. */
function isIdentity(clause: Clause, rest: readonly Token[], lexicon: Lexicon): boolean {
  const { subject, verbs, lead } = clause;
  if (verbs.length !== 1 || !/^(?:is|are)$/.test(wordAt(verbs, 0)) || lead.length > 0) return false;
  if (!isShort(subject, 6) || !isNounPhrase(rest) || !isDefinable(subject)) return false;
  if (posAt(rest, 0) === "ADV" && posAt(rest, 1) !== "ADJ") return false;
  if (statesManner(rest)) return false;
  return isGeneric(subject) || isNamed(subject, lexicon);
}

/** ", where the order does not matter", ", which can be tested": part of the definition. */
function definingPart(whole: readonly Token[]): Token[] {
  const cut = cutSecondFact(whole);
  return wordAt(whole, cut.length) === "," && isDefiningClause(whole, cut) ? trimEnd(whole) : cut;
}

function isDefiningClause(whole: readonly Token[], cut: readonly Token[]): boolean {
  const opener = wordAt(whole, cut.length + 1);
  if (opener === "where") return whole.length < 26;
  // "that does not act at once, but that can": both halves are needed.
  if (opener === "but") return cut.some((t) => t.lower === "not") && whole.length < 34;
  return /^(?:which|that)$/.test(opener) && isModal(whole[cut.length + 2]) && whole.length - cut.length < 8;
}

/** The definition of X; "" if the sentence has none. */
function identityText(fact: Fact, lexicon: Lexicon): string {
  const definingTokens = fact.clause ? definingPart(fact.clause.rest) : [];
  const statement = textOf(definingTokens, fact.text).replace(/^both (?=\p{L}+ of\b)/u, "");
  const isStated =
    wordCount(statement) > 2 &&
    !/respectively|^\d|^no\b|^the \S+ \S+$/.test(statement) &&
    !EMPTY_DEFINITION.test(statement);
  return fact.clause &&
    isStated &&
    !isPraise(statement) &&
    !REMARK.test(statement) &&
    isIdentity(fact.clause, definingTokens, lexicon)
    ? statement
    : "";
}

function askIdentity(fact: Fact, lexicon: Lexicon): Candidate[] {
  const statement = identityText(fact, lexicon);
  const { subject, verbs } = fact.clause ?? { subject: [], verbs: [] };
  const bare = textOf(withoutArticle(subject), fact.text);
  const term = lexicon.terms.get(bare);
  const isFact = COMPARISON.test(statement) || subject.some((t) => t.lower === "of");
  if (statement === "" || (!isFact && !term && subject.length > 3)) return [];
  const termField = term ? { termKey: term.key } : {};
  const question = asQuestion(
    "What",
    wordAt(verbs, 0),
    expandShortForms(lowerFirst(textOf(subject, fact.text), lexicon), lexicon),
  );
  const found: Candidate = {
    style: isFact ? "fact" : "definition",
    question,
    answer: asAnswer(statement),
    fact,
    ...termField,
  };
  return fallback(statement, found) ?? [found, ...(isFact ? [] : askTermFor(statement, bare, found))];
}

/** Another question for a statement that isn't a definition. */
function fallback(statement: string, found: Candidate): Candidate[] | undefined {
  const candidate = askOfWhat(statement, found) ?? askWhichOne(statement, found);
  return candidate && [candidate];
}

/** "What are fungi the source of?" */
function askOfWhat(statement: string, { question, ...found }: Candidate): Candidate | undefined {
  const [, part, whole = ""] = PART_OF.exec(statement) ?? [];
  const questionText = asQuestion(question.replace(/\?$/, ""), part);
  return part === undefined ? undefined : { ...found, style: "fact", question: questionText, answer: asAnswer(whole) };
}

/** "The nucleus is the largest organelle of a cell": asks which is the largest. */
function askWhichOne(statement: string, found: Candidate): Candidate | undefined {
  const { clause, text } = found.fact;
  if (!clause || !SUPERLATIVE.test(statement) || wordCount(statement) < 5) return undefined;
  const question = asQuestion("What", wordAt(clause.verbs, 0), statement);
  return { ...found, style: "fact", question, answer: asAnswer(textOf(clause.subject, text)) };
}
const SUPERLATIVE =
  /^the (?:most|only|largest|smallest|main|primary|leading|first|last|best|longest|shortest|highest|lowest|greatest|simplest|fundamental|basic|major) /i;

/** The definition in reverse, if it is long enough to identify the term. */
function askTermFor(statement: string, bare: string, { fact, termKey }: Candidate): Candidate[] {
  if (!DEFINITION_OPENING.test(statement) || wordCount(statement) < 6 || termKey === undefined) return [];
  return [
    { style: "term", question: asQuestion("What is the term for", statement), answer: asAnswer(bare), fact, termKey },
  ];
}

/** "Contingency Tables: Smoking and Alzheimer’s Disease": both halves of a title. */
function isTitle(statement: string): boolean {
  const words = statement.split(/\s+/).filter((word) => word.length > 3);
  return words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));
}

/** Whether the text after a label explains it and can be understood alone. */
function explainsLabel(fact: Fact, statement: string): boolean {
  const count = wordCount(statement);
  // "Test number: 2 Runs: 999": a line of figures.
  if (/[?!]$|: \d| itself$/.test(statement)) return false;
  if (count < 3 || count > 22 || statement.split(/\s+/).length < 3 || mainVerb(fact.tokens) >= 0) return false;
  // "Thumbnails: automatically added": a remark.
  if (fact.tokens.length > 0 && (!isNounPhrase(fact.tokens) || posAt(fact.tokens, 0) === "ADV")) return false;
  // Short explanations aren't sentences and are judged as part of one.
  const isOrder = /^(?:let|suppose|assume|consider|construct|draw|find|show|prove|use|take|given|see|note)\b/i.test(
    statement,
  );
  if (isOrder) return false;
  const isRejected = rejectSentence(count < 6 ? `${statement} and so it is.` : `${statement}.`) !== undefined;
  return !isRejected && !refersToOtherSentence(statement);
}

/** "Isthmus: a narrow strip of land": a definition in notes. */
function askLabel(fact: Fact, lexicon: Lexicon): Candidate[] {
  const label = fact.label;
  const statement = fact.text.replace(/[.;]$/, "");
  if (label === undefined || !isTermLabel(label) || isTitle(statement)) return [];
  // "Outcome: one row for each outcome": what the label stands for is already in the label.
  if (containsPhrase(statement, bareName(label)) || !explainsLabel(fact, statement)) return [];
  if (!tagSentence(label).some(isNominal)) return [];
  if (isRecurringLabel(lexicon, label) || isRecurringLabel(lexicon, fact.text)) return [];
  const bare = bareName(label);
  const termKey = phraseKey(bare);
  const be = isPluralWord(label) && !/^an? /i.test(statement) ? "are" : "is";
  const definitionQuestion = asQuestion("What", be, lowerFirst(label, lexicon));
  const termQuestion = asQuestion("What is the term for", lowerFirst(statement, lexicon));
  return [
    { style: "definition", question: definitionQuestion, answer: asAnswer(statement), fact, termKey },
    { style: "term", question: termQuestion, answer: asAnswer(bare), fact, termKey },
  ];
}

/** Questions for definitions, names and abbreviations. */
export function askDefinitions(fact: Fact, lexicon: Lexicon): Candidate[] {
  const labels = askLabel(fact, lexicon);
  if (labels.length > 0) return labels;
  if (!fact.isSelfContained) return fact.needsContext ? askNames(fact, lexicon) : [];
  const names = [...askNames(fact, lexicon), ...askInlineName(fact, lexicon)];
  return [...askIdentity(fact, lexicon), ...names, ...askShortForms(fact)];
}

/** Definitions given in passing. */
export function askParentheticalDefinitions(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!fact.isSelfContained && !fact.needsContext) return askAfterColon(fact, lexicon);
  return [
    ...askAfterColon(fact, lexicon),
    ...askApposition(fact, lexicon),
    ...askBracketed(fact, lexicon),
    ...askParentheticalName(fact, lexicon),
  ];
}
