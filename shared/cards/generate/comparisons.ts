import { asAnswer, asQuestion, type Candidate, wordCount } from "./candidates.ts";
import { type Clause, mainText, readClause, textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { isNamed, type Lexicon, lowerFirst } from "../source/lexicon.ts";
import { cutSecondFact } from "../source/clause-splitting.ts";
import { wordAt } from "#shared/text/tokens.ts";

const MAX_ANSWER = 24;

/** "Unlike A,", "in contrast to A,". */
const isUnlike = ({ lead }: Clause) =>
  wordAt(lead, 0) === "unlike" ||
  (/^(?:contrast|comparison)$/.test(wordAt(lead, 1)) && /^(?:to|with)$/.test(wordAt(lead, 2)));

/** "Unlike A, B …": how does B differ from A? */
function askUnlike(fact: Fact, clause: Clause, lexicon: Lexicon): Candidate | undefined {
  const nameIndex = wordAt(clause.lead, 0) === "unlike" ? 1 : 3;
  const comparedThing = clause.lead.slice(nameIndex);
  const statement = mainText(clause, cutSecondFact(clause.rest), fact.text);
  const count = wordCount(statement);
  const isPlain = comparedThing.every((t) => t.pos !== "PRON" && t.pos !== "ADP") && isNamed(comparedThing, lexicon);
  if (!isPlain || count < 4 || count > MAX_ANSWER || !isNamed(clause.subject, lexicon)) return undefined;
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  const verb = /^(?:is|has|does|was)$|[^s]s$/.test(wordAt(clause.verbs, 0)) ? "does" : "do";
  const question = asQuestion("How", verb, subject, "differ from", textOf(comparedThing, fact.text));
  return { style: "compare", question, answer: asAnswer(statement), fact };
}

const isShortSubject = (clause: Clause, lexicon: Lexicon) =>
  clause.lead.length === 0 && clause.subject.length < 6 && isNamed(clause.subject, lexicon);

/** "A …, whereas B …": how do they differ? */
function askContrast(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const { tokens, text } = fact;
  const isContrast = (i: number) =>
    wordAt(tokens, i) === "whereas" || (wordAt(tokens, i) === "while" && wordAt(tokens, i - 1) === ",");
  const splitIndex = tokens.findIndex((_, i) => i > 3 && isContrast(i));
  if (splitIndex === -1 || wordCount(text) > MAX_ANSWER) return undefined;
  const first = readClause(tokens.slice(0, splitIndex));
  const second = readClause(tokens.slice(splitIndex + 1));
  if (!first || !second || !isShortSubject(first, lexicon) || !isShortSubject(second, lexicon)) return undefined;
  // "How do A and B and C and D differ?"
  if ([first, second].every(({ subject }) => subject.some((t) => t.lower === "and"))) return undefined;
  const [a, b] = [first, second].map((c) => lowerFirst(textOf(c.subject, text), lexicon).replace(/^both /, ""));
  return { style: "compare", question: asQuestion("How do", a, "and", b, "differ"), answer: asAnswer(text), fact };
}

/** How two things differ, according to one sentence. */
export function askComparison(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const clause = fact.clause;
  const unlike = clause && isUnlike(clause) ? askUnlike(fact, clause, lexicon) : undefined;
  return unlike ?? askContrast(fact, lexicon);
}
