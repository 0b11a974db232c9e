import { asAnswer, asQuestion, type Candidate, wordCount } from "#shared/engine/candidates.ts";
import { type Clause, isAuxiliary, readClause, textOf, trimEnd } from "#shared/engine/clauses.ts";
import { cutAfterVerb, cutSecondFact } from "#shared/engine/second-facts.ts";
import { type Fact } from "#shared/engine/facts.ts";
import { isNamed, type Lexicon, lowerFirst } from "#shared/engine/naming.ts";
import { invert, leadText } from "#shared/engine/relations.ts";
import type { Token } from "#shared/engine/tokens.ts";

/** "Why", "how" and "when" before a clause turned into a question. */
function askClause(word: string, clause: Clause, fact: Fact, lexicon: Lexicon): string | undefined {
  const inverted = invert(clause, fact.text);
  const lead = leadText(clause, fact);
  if (!inverted || lead === undefined || !isNamed(clause.subject, lexicon)) return undefined;
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  const rest = textOf(clause.rest, fact.text);
  if (/\b(?:this|these|those|such)\b/i.test(`${subject} ${rest}`)) return undefined;
  return asQuestion(lead, lead ? word.toLowerCase() : word, inverted.auxiliary, subject, inverted.verb, rest);
}

const hasPronoun = (tokens: readonly Token[]) =>
  tokens.some((t) => /^(?:it|they|them|he|she|this|these|those|its|their|one|such|there)$/.test(t.lower));

/** Cuts the sentence where a reason, a means or a time begins, and asks for it. */
interface Hinge {
  style: "why" | "how" | "when";
  word: string;
  opens: (tokens: readonly Token[], i: number) => boolean;
}

const HINGES: readonly Hinge[] = [
  { style: "why", word: "Why", opens: (t, i) => t[i]?.lower === "because" },
  { style: "why", word: "Why", opens: (t, i) => t[i]?.lower === "due" && t[i + 1]?.lower === "to" && i > 3 },
  {
    style: "why",
    word: "Why",
    opens: (t, i) => t[i]?.lower === "in" && t[i + 1]?.lower === "order" && t[i + 2]?.lower === "to",
  },
  { style: "why", word: "Why", opens: (t, i) => t[i]?.lower === "so" && t[i + 1]?.lower === "that" },
  {
    style: "how",
    word: "How",
    opens: (t, i) => t[i]?.lower === "by" && /ing$/.test(t[i + 1]?.lower ?? "") && (t[i + 1]?.lower.length ?? 0) > 5,
  },
  {
    style: "when",
    word: "When",
    opens: (t, i) => /^(?:when|after|before|until|unless|if)$/.test(t[i]?.lower ?? "") && t[i - 1]?.text !== ",",
  },
];

function askHinge(fact: Fact, lexicon: Lexicon, hinge: Hinge): Candidate | undefined {
  const at = fact.tokens.findIndex((_, i) => i > 1 && hinge.opens(fact.tokens, i));
  if (at === -1) return undefined;
  const before = fact.tokens.slice(0, at);
  // Between a comma and "because" there may be a fact that the reason does not belong to.
  if (
    before.some((t) => /^[;:—]$/.test(t.text)) ||
    /^(?:not|partly|possibly|probably|mainly|largely|perhaps|simply|only|just|that|is|are|even|and|or|but|except|as)$/.test(
      before.at(-1)?.lower ?? "",
    )
  )
    return undefined;
  const clause = readClause(before);
  const whole = trimEnd(fact.tokens.slice(at));
  const tail = /^(?:because|when|after|before|until|unless|if)$/.test(whole[0]?.lower ?? "")
    ? cutClause(whole)
    : cutSecondFact(whole);
  const said = textOf(tail, fact.text);
  const count = wordCount(said);
  if (!clause || count < 3 || count > 23 || cutSecondFact(clause.rest).length < clause.rest.length) return undefined;
  const question = askClause(hinge.word, clause, fact, lexicon);
  if (!question || wordCount(question) < 4) return undefined;
  const term = lexicon.terms.within(textOf(clause.subject, fact.text)).find((t) => t.isMarked);
  return { style: hinge.style, question, answer: asAnswer(said), fact, ...(term ? { termKey: term.key } : {}) };
}

/** "after mitosis" has no verb to keep. */
const cutClause = (tokens: readonly Token[]) =>
  cutAfterVerb(tokens, 1) ?? (tokens[0]?.lower === "because" ? [] : cutSecondFact(tokens));

/** "When X, Y": what happens when X? */
function askConsequence(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const clause = fact.clause;
  const first = clause?.lead[0]?.lower ?? "";
  if (
    !clause ||
    !/^(?:when|if|once|after|during|because|since)$/.test(first) ||
    hasPronoun(clause.lead) ||
    clause.lead.length < 3
  )
    return undefined;
  const lead = textOf(clause.lead, fact.text);
  const said = mainText(clause, fact);
  if (said === undefined || hasPronoun(clause.subject)) return undefined;
  if (first === "because" || first === "since") {
    const hasVerb = readClause(clause.lead.slice(1)) !== undefined;
    const question =
      first === "because" && hasVerb ? askClause("Why", { ...clause, lead: [] }, fact, lexicon) : undefined;
    return question ? { style: "why", question, answer: asAnswer(lead), fact } : undefined;
  }
  if (/^(?:when|if|once)$/.test(first) && readClause(clause.lead.slice(1)) === undefined) return undefined;
  if (clause.lead.some((t) => /^(?:the|these|both)$/.test(t.lower)) && !isNamed(clause.lead.slice(1), lexicon))
    return undefined;
  if (/^(?:after|once)$/.test(first) && clause.lead.length < 4) return undefined;
  return {
    style: "when",
    question: asQuestion(opening(clause), lowerFirst(lead, lexicon)),
    answer: asAnswer(said),
    fact,
  };
}

function opening(clause: Clause): string {
  if (clause.verbs[0]?.lower === "would") return "What would happen";
  return isPast(clause) ? "What happened" : "What happens";
}

const isPast = ({ verbs: [first] }: Clause) =>
  first !== undefined &&
  (/^(?:was|were|had|did)$/.test(first.lower) ||
    (!isAuxiliary(first) && first.lower !== first.lemma && !first.lower.endsWith("s")));

function mainText(clause: Clause, fact: Fact): string | undefined {
  const rest = cutSecondFact(clause.rest);
  const from = clause.subject[0];
  const to = rest.at(-1) ?? clause.verbs.at(-1);
  const said = from && to ? fact.text.slice(from.start, to.end) : "";
  const count = wordCount(said);
  return count < 4 || count > 24 ? undefined : said;
}

/** "Unlike A, B …", "A …, whereas B …", "Both A and B …". */
function askComparison(fact: Fact, lexicon: Lexicon): Candidate | undefined {
  const clause = fact.clause;
  if (clause && clause.lead[0]?.lower === "unlike" && isNamed(clause.subject, lexicon)) {
    const said = mainText(clause, fact);
    const other = textOf(clause.lead.slice(1), fact.text);
    const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
    const verb = /^(?:is|has|does|was)$|[^s]s$/.test(clause.verbs[0]?.lower ?? "") ? "does" : "do";
    if (said !== undefined && !hasPronoun(clause.lead))
      return {
        style: "compare",
        question: asQuestion("How", verb, subject, "differ from", other),
        answer: asAnswer(said),
        fact,
      };
  }
  const at = fact.tokens.findIndex(
    (t, i) => i > 3 && (t.lower === "whereas" || (t.lower === "while" && fact.tokens[i - 1]?.text === ",")),
  );
  if (at === -1) return undefined;
  const one = readClause(fact.tokens.slice(0, at));
  const two = readClause(fact.tokens.slice(at + 1));
  if (
    !one ||
    !two ||
    one.lead.length > 0 ||
    two.lead.length > 0 ||
    !isNamed(one.subject, lexicon) ||
    !isNamed(two.subject, lexicon)
  )
    return undefined;
  if (one.subject.length > 5 || two.subject.length > 5 || wordCount(fact.text) > 24) return undefined;
  const [a, b] = [one, two].map((c) => lowerFirst(textOf(c.subject, fact.text), lexicon));
  return { style: "compare", question: asQuestion("How do", a, "and", b, "differ"), answer: asAnswer(fact.text), fact };
}

/** Why, how, when, what then, and in what do they differ. */
export function askCircumstances(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!fact.isSound) return [];
  const hinged = HINGES.map((hinge) => askHinge(fact, lexicon, hinge)).find((c) => c !== undefined);
  return [askComparison(fact, lexicon), hinged, askConsequence(fact, lexicon)].filter((c) => c !== undefined);
}
