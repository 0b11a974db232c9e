import { asAnswer, type Candidate, isShort, wordCount } from "./candidates.ts";
import { textOf } from "#shared/text/clauses.ts";
import { thirdPerson } from "./inversion.ts";
import { answerText, buildQuestion, type Reading } from "./clause-readings.ts";
import { startsClause } from "../source/clause-splitting.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isEvaluating, isGeneralWord } from "../source/terms.ts";
import { posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { isAuxiliary, isBe, isModal, RELATIVES } from "#shared/text/verbs.ts";
import { contentStems } from "#shared/text/words.ts";

const PERSON =
  /(?:(?:olog|iatr|emic|hysic|tic|gen|dent|art|ian)ists?|icians?|librarians?|^(?:scientist|researcher|doctor|professional|patient|child|children|people|person|men|women|man|woman|male|female|adult|student|teacher|worker|farmer|engineer|author|philosopher|king|president|soldier|mother|father|parent|trustee|employee|employer|debtor|creditor|attorney|lawyer|judge|manager|officer|owner|customer|buyer|seller|supervisor|inspector|auditor|administrator|applicant|tenant|landlord|nurse|driver|pilot|reader|writer)s?)$/;

/** "Marie Curie", "environmental microbiologists": asked for with "who". */
export function isPerson(tokens: readonly Token[]): boolean {
  const tail = tokens.findIndex((t, i) => i > 0 && (t.pos === "ADP" || RELATIVES.has(t.lower)));
  const head = wordAt(tokens, (tail === -1 ? tokens.length : tail) - 1);
  return PERSON.test(head);
}

/** Verbs with people as subjects. */
const HUMAN_ACTION_VERB =
  /^(?:discover|write|invent|propose|win|publish|argue|suggest|develop|coin|found|believe|become|claim|conclude|demonstrate|describe|design|die|draw|establish|explain|introduce|marry|observe|paint|pioneer|prove|rule|study|teach|think|work|bear|live|lead|serve|receive|show|formulate|compose|build|name|classify|crown|elect|kill|defeat|conquer|visit|travel|sail|perform|recognize)$/;

/** "Marie Curie" is a who and "Safe Rust" a what; undefined if a name can be either. */
function whoOrWhat(tokens: readonly Token[], verb: string, { lexicon }: Reading): "who" | "what" | undefined {
  if (isPerson(tokens)) return "who";
  const isName = tokens.length > 1 && tokens.every((t) => t.pos === "PROPN" && /^\p{Lu}\p{Ll}+/u.test(t.text));
  if (!isName || tokens.some((t) => lexicon.lower.has(t.lower))) return "what";
  return HUMAN_ACTION_VERB.test(verb) ? "who" : undefined;
}

/** The tense of "is made by" carried over to "makes". */
function activeForm(be: string, verb: Token): string | undefined {
  if (verb.lemma === verb.lower || !verb.lower.endsWith("ed")) return undefined;
  if (be === "is" || be === "are") return thirdPerson(verb.lemma);
  return be === "was" || be === "were" ? verb.lower : undefined;
}

/** "X is made by Y", asked as "What makes X?" */
export function askAgent(reading: Reading): Candidate | undefined {
  const { clause, subject, rest } = reading;
  const [be, verb] = clause.verbs;
  const agent = rest.slice(1);
  if (!be || verb?.pos !== "VERB" || clause.verbs.length !== 2 || wordAt(rest, 0) !== "by") return undefined;
  if (
    wordAt(agent, 0).endsWith("ing") ||
    /^\p{L}+ing (?:the|an?) /u.test(subject) ||
    !isShort(agent, 9) ||
    /^(?:each|every)\b/.test(subject)
  )
    return undefined;
  const form = activeForm(be.lower, verb);
  const who = whoOrWhat(agent, verb.lemma, reading);
  return form === undefined || who === undefined
    ? undefined
    : buildQuestion(reading, [who, form, subject], answerText(reading, agent));
}

const SINGULAR_FORM = new Map([
  ["are", "is"],
  ["were", "was"],
  ["have", "has"],
  ["do", "does"],
]);

function verbForWhat(first: Token): string {
  const single = SINGULAR_FORM.get(first.lower);
  return single ?? (isAuxiliary(first) || first.lower !== first.lemma ? first.lower : thirdPerson(first.lemma));
}

/** "What are organisms that": verb or object show the plural, so "what is" doesn't fit. */
function showsPlural({ clause, rest }: Reading): boolean {
  const [first, ...others] = clause.verbs;
  if (!first) return true;
  const isPlural = SINGULAR_FORM.has(first.lower) || (!isAuxiliary(first) && first.lower === first.lemma);
  if (!isPlural) return false;
  const isBare = isBe(first) && others.length === 0;
  const namesKind = isBare && posAt(rest, 0) !== "ADP" && !(posAt(rest, 0) === "ADJ" && posAt(rest, 1) === "ADP");
  const hasSecondVerb = rest.some(
    (t, i) => /^(?:and|or|but|,)$/.test(t.lower) && /^(?:VERB|AUX|ADV)$/.test(posAt(rest, i + 1)),
  );
  return namesKind || hasSecondVerb || rest.some((t) => /^(?:they|them|their|themselves)$/.test(t.lower));
}

/** Whether the statement identifies one thing. */
function isSpecific({ rest, fact, clause }: Reading): boolean {
  const statement = textOf(rest, fact.text);
  const stems = new Set(contentStems(statement).filter((s) => !isGeneralWord(s)));
  const isKind = isBe(clause.verbs[0]) && clause.verbs.length === 1 && !/^(?:a|an|the) /i.test(statement);
  const pointsAt = /^(?:so|thus|as such)\b|\b(?:recent|previous|prior|earlier) (?:work|studies|papers?)\b/i.test(
    statement,
  );
  return stems.size > 2 && wordCount(statement) < 25 && !isKind && !pointsAt && !startsClause(rest, 0);
}

/** A short noun phrase without a list or a verb that names one thing. */
const isOneThing = (subject: readonly Token[]) =>
  isShort(subject, 6) &&
  !/^(?:some|many|several|few|certain|various|other|every|each|all|any)$/.test(wordAt(subject, 0)) &&
  !subject.some((t) => t.text === "," || t.pos === "VERB") &&
  (!subject.some((t) => t.lower === "and") || !tagSentence(textOfTokens(subject)).some((t) => t.pos === "VERB"));

const textOfTokens = (tokens: readonly Token[]) => tokens.map((t) => t.text).join(" ");

/** "Recent work has shown that": whose work? */
const UNNAMED_WORK =
  /\b(?:recent|concurrent|previous|prior|earlier|other|further|future|existing|early|several|many|related) (?:works?|stud(?:y|ies)|research|papers?|approach(?:es)?|authors?|experiments?|findings?|investigations?)$/i;
/** "to use it as a guide": use what? */
const hasPronoun = (tokens: readonly Token[]) => tokens.some((t) => /^(?:it|them|him|her)$/.test(t.lower));

const FORM_OF_BE = /^(?:is|are|was|were|be|been)$/;

/** "What is a lamp of brass?" is true of too many things, because its statement is short. */
const MIN_CONTENT_WORDS = 7;
/** "What is a popular way of …?" has many answers. */
const isOneOfMany = (verbs: readonly Token[], rest: readonly Token[]) =>
  FORM_OF_BE.test(wordAt(verbs, verbs.length - 1)) &&
  /^an?$/.test(wordAt(rest, 0)) &&
  (isEvaluating(wordAt(rest, 1)) ||
    /^(?:integral|essential|crucial|vital)$/.test(wordAt(rest, 1)) ||
    rest.length < MIN_CONTENT_WORDS);

/** "What may be involved in …?" has too many answers, and "what can by folding …?" none. */
function hasManyAnswers({ clause, rest }: Reading): boolean {
  const [first, ...others] = clause.verbs;
  const isByMeans = wordAt(rest, 0) === "by" && wordAt(rest, 1).endsWith("ing");
  const isBare = isModal(first) && others.length === 0;
  if (
    isTooGeneral(clause.verbs) ||
    isGerund(clause.verbs, rest) ||
    asksForWhole(clause.verbs) ||
    isOneOfMany(clause.verbs, rest)
  )
    return true;
  if (
    /^(?:an?|one|the) (?:\S+ )?examples? of\b|^the (?:culmination|backbone|heart|cornerstone|hallmark|epitome|essence) of\b/i.test(
      rest.map((t) => t.text).join(" "),
    )
  )
    return true;
  return isByMeans || isBare || /^(?:may|might|could)$/.test(first?.lower ?? "");
}

/** "What has been identified in mammals?", "what varies with age?": true of too many things. */
function isTooGeneral(verbs: readonly Token[]): boolean {
  const verbText = verbs.map((t) => t.lower).join(" ");
  return (
    /^(?:has|have) been (?:\S+ )?(?:identified|observed|reported|described|studied|seen|shown|found)$/.test(verbText) ||
    /^(?:must|should|shall|need to) be\b/.test(verbText) ||
    /^(?:vary|depend|differ|stand)$/.test(verbs[0]?.lemma ?? "")
  );
}

/** "What is analyzing the cause of …?" would need "called". */
const isGerund = (verbs: readonly Token[], rest: readonly Token[]) =>
  FORM_OF_BE.test(wordAt(verbs, 0)) && wordAt([...verbs, ...rest], 1).endsWith("ing");

/** "What includes tight junctions?": a whole can't be guessed from a part. */
const asksForWhole = ([first, ...others]: readonly Token[]) =>
  others.length === 0 && /^(?:include|contain|comprise|need|have)$/.test(first?.lemma ?? "");

/** Asks for the subject of "S V O": "What converts light into …?" */
export function askSubject(reading: Reading): Candidate | undefined {
  const { fact, clause, rest, lexicon } = reading;
  const [first, ...others] = clause.verbs;
  const named = textOf(clause.subject, fact.text);
  if (!first || !isOneThing(clause.subject)) return undefined;
  if (
    hasManyAnswers(reading) ||
    UNNAMED_WORK.test(named) ||
    hasPronoun(rest) ||
    lexicon.terms.findIn(named).length === 0
  )
    return undefined;
  if (showsPlural(reading) || !isSpecific(reading)) return undefined;
  const who = whoOrWhat(clause.subject, (others.at(-1) ?? first).lemma, reading);
  if (who === undefined) return undefined;
  const words = [who, verbForWhat(first), textOf(others, fact.text), textOf(rest, fact.text)];
  return buildQuestion(reading, words, asAnswer(named));
}
