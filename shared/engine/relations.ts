import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "#shared/engine/candidates.ts";
import { type Clause, isAuxiliary, isBe, isModal, textOf } from "#shared/engine/clauses.ts";
import { cutSecondFact, startsClause } from "#shared/engine/second-facts.ts";
import { type Fact } from "#shared/engine/facts.ts";
import { isNamed, type Lexicon, lowerFirst } from "#shared/engine/naming.ts";
import type { Token } from "#shared/engine/tokens.ts";
import { isGeneralWord } from "#shared/engine/terms.ts";
import { contentStems, singular } from "#shared/engine/words.ts";

export function thirdPerson(lemma: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(lemma)) return `${lemma}es`;
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`;
}

/** The verb group cut in two, so that a subject can stand between: "does | bind", "is | found". */
export interface Inverted {
  auxiliary: string;
  verb: string;
}

export function invert(clause: Clause, text: string): Inverted | undefined {
  const [first, ...others] = clause.verbs;
  if (!first || clause.verbs.some((t) => /^(?:not|n't|n’t|never|cannot|only)$/.test(t.lower))) return undefined;
  const adverbs = others.filter((t) => t.pos === "ADV");
  const isHaveAlone = /^(?:has|have|had)$/.test(first.lower) && others.length === adverbs.length;
  const isDoAlone = /^(?:do|does|did)$/.test(first.lower) && others.length === adverbs.length;
  if (isAuxiliary(first) && !isHaveAlone && !isDoAlone) return { auxiliary: first.lower, verb: textOf(others, text) };
  const base = isHaveAlone ? "have" : isDoAlone ? "do" : first.lemma;
  if (!/^\p{Ll}+$/u.test(base)) return undefined;
  const isPast = !isHaveAlone && first.lower !== base && !first.lower.endsWith("s");
  const auxiliary =
    isPast || first.lower === "had" || first.lower === "did" ? "did" : first.lower === base ? "do" : "does";
  return { auxiliary, verb: [...adverbs.map((t) => t.text), base].join(" ") };
}

export function leadText(clause: Clause, fact: Fact): string | undefined {
  if (clause.lead.length === 0) return "";
  const first = clause.lead[0]?.lower ?? "";
  const isPlace =
    /^(?:in|during|at|within|on|among|under|for|inside|throughout|across|unlike|like|without|with|by)$/.test(first);
  const isPlain = clause.lead.every((t) => t.pos !== "PRON" && t.pos !== "VERB") && clause.lead.length <= 8;
  if (
    !isPlace ||
    !isPlain ||
    /\b(?:this|these|those|such|other|addition|fact|general|contrast|turn|case|example|way)\b/i.test(
      textOf(clause.lead, fact.text),
    )
  )
    return undefined;
  return `${textOf(clause.lead, fact.text)},`;
}

const LOCATED =
  /^(?:located|found|situated|produced|stored|housed|embedded|contained|synthesized|made|concentrated|placed|positioned|packaged|assembled|released|formed|held|built|kept|grown)$/;
const PLACE = /^(?:in|on|at|within|inside|near|between|along|throughout|outside|beneath|under|across|around)$/;
const HAPPEN = /^(?:occur|happen|live|begin|reside|exist|grow|dwell|lie|start|end|appear|arise|originate)$/;
const KEPT = /^(?:of|from|with|into|as|for|to|on|about|against|upon|in)$/;

interface Reading {
  fact: Fact;
  clause: Clause;
  lead: string;
  subject: string;
  inverted: Inverted;
  rest: Token[];
  lexicon: Lexicon;
}

function rise(reading: Reading, word: string): string {
  return reading.lead ? `${reading.lead} ${word}` : word;
}

/** The phrase up to its first preposition, with one of its tail: what must name itself. */
const headOf = (tokens: readonly Token[]) => {
  const stop = tokens.findIndex((t, i) => i > 0 && (t.pos === "VERB" || t.pos === "PUNCT" || t.pos === "SCONJ"));
  return tokens.slice(0, stop === -1 ? 8 : Math.min(stop, 8));
};

function answerOf({ fact, lexicon }: Reading, tokens: readonly Token[]): string | undefined {
  const answer = asAnswer(textOf(tokens, fact.text));
  const count = wordCount(answer);
  const hasMatter = tokens.some((t) => /^(?:NOUN|PROPN)$/.test(t.pos) && !isGeneralWord(singular(t.lower)));
  const leansBack =
    /^(?:the|its|their|this|these|such)$/.test(tokens[0]?.lower ?? "") && !isNamed(headOf(tokens), lexicon);
  if (
    count === 0 ||
    count > 20 ||
    !hasMatter ||
    leansBack ||
    (tokens[0]?.pos === "PRON" && !/^(?:that|what|how)$/.test(tokens[0].lower))
  )
    return undefined;
  if (
    /^(?:the|a|an) \p{L}+$/iu.test(answer) &&
    !/^(?:a|an) /i.test(answer) &&
    count === 2 &&
    isGeneralWord(answer.slice(4).toLowerCase())
  )
    return undefined;
  return answer;
}

function about(reading: Reading): Pick<Candidate, "termKey"> | Record<string, never> {
  const term = reading.lexicon.terms.within(reading.subject).toSorted((a, b) => b.weight - a.weight)[0];
  return term ? { termKey: term.key } : {};
}

/** What comes after "is": made of what, found where, used for what. */
function askPassive(reading: Reading): Candidate | undefined {
  const { fact, clause, subject, rest, inverted } = reading;
  const participle =
    clause.verbs.at(-1)?.pos === "VERB" && !clause.verbs.at(-1)?.lower.endsWith("ing")
      ? clause.verbs.at(-1)
      : undefined;
  const adjective = participle ? undefined : rest[0]?.pos === "ADJ" ? rest[0] : undefined;
  const tail = adjective ? rest.slice(1) : rest;
  const [hook] = tail;
  if (!hook || (!participle && !adjective) || /^(?:about|just)$/.test(adjective?.lower ?? "")) return undefined;
  const group = `${inverted.verb} ${adjective?.text ?? ""}`.trim();
  const make = (word: string, hooked: string, tokens: readonly Token[]): Candidate | undefined => {
    const answer = answerOf(reading, tokens);
    if (answer === undefined) return undefined;
    return {
      style: "fact",
      question: asQuestion(rise(reading, word), inverted.auxiliary, subject, group, hooked),
      answer,
      fact,
      ...about(reading),
    };
  };
  if (participle && hook.lower === "to" && /^(?:used|needed|required)$/.test(participle.lower))
    return make("what", "for", tail);
  if (participle && LOCATED.test(participle.lower) && PLACE.test(hook.lower)) return make("where", "", tail);
  if (hook.pos === "ADP" && KEPT.test(hook.lower) && tail[1]?.lower !== "which")
    return make("what", hook.lower, tail.slice(1));
  return undefined;
}

/** "X is made by Y" asked from the other end: "What makes X?" */
function askAgent(reading: Reading): Candidate | undefined {
  const { fact, clause, subject, rest } = reading;
  const be = clause.verbs[0]?.lower;
  const verb = clause.verbs.at(-1);
  if (
    !verb ||
    verb.pos !== "VERB" ||
    rest[0]?.lower !== "by" ||
    clause.verbs.length !== 2 ||
    !verb.lower.endsWith("ed")
  )
    return undefined;
  const agent = rest.slice(1);
  if (agent[0]?.lower.endsWith("ing") || !isShort(agent, 9)) return undefined;
  const form =
    be === "is" || be === "are" ? thirdPerson(verb.lemma) : be === "was" || be === "were" ? verb.lower : undefined;
  const answer = answerOf(reading, agent);
  if (form === undefined || answer === undefined || verb.lemma === verb.lower) return undefined;
  const isPerson =
    agent.length > 1 && agent.every((t) => t.pos === "PROPN" || t.lower === "and") && be?.startsWith("w");
  return {
    style: "fact",
    question: asQuestion(rise(reading, isPerson ? "who" : "what"), form, subject),
    answer,
    fact,
    ...about(reading),
  };
}

/** "S V O" asked for O. */
function askObject(reading: Reading): Candidate | undefined {
  const { fact, clause, subject, rest, inverted } = reading;
  const [hook] = rest;
  const base = inverted.verb.split(" ").at(-1) ?? "";
  const make = (word: string, hooked: string, tokens: readonly Token[]): Candidate | undefined => {
    const answer = answerOf(reading, tokens);
    if (answer === undefined) return undefined;
    return {
      style: "fact",
      question: asQuestion(rise(reading, word), inverted.auxiliary, subject, inverted.verb, hooked),
      answer,
      fact,
      ...about(reading),
    };
  };
  if (base === "take" && hook?.lower === "place") {
    const place = rest.slice(1);
    return PLACE.test(place[0]?.lower ?? "") ? askPlace(reading, "take place", place) : undefined;
  }
  const enabled = askEnabled(reading, base);
  if (enabled) return enabled;
  if (isVague(reading, base)) return undefined;
  if (!hook || /^(?:be|become|seem|appear|remain|look|feel|let|tend|begin|continue|start|help|cause)$/.test(base))
    return undefined;
  if (hook.pos === "ADP") {
    if (PLACE.test(hook.lower) && HAPPEN.test(base)) return make("where", "", rest);
    if (/^(?:on|from|to|of|as|into|with|for|in)$/.test(hook.lower) && isHooked(base, hook.lower))
      return make("what", hook.lower, rest.slice(1));
    return undefined;
  }
  if (hook.lower === "that")
    return rest.length > 4 && /^(?:state|show|suggest|propose|hold|say|demonstrate|predict|indicate|mean)$/.test(base)
      ? make("what", "", rest)
      : undefined;
  if (clause.rest.length > 0 && !/^(?:DET|ADJ|NOUN|PROPN|NUM|ADV)$/.test(hook.pos)) return undefined;
  if (hook.pos === "ADV" && !/^(?:more|less|only|almost|nearly|about|approximately|very|highly)$/.test(hook.lower))
    return undefined;
  return rest.some((t) => /^(?:NOUN|PROPN)$/.test(t.pos)) ? make("what", "", rest) : undefined;
}

function askPlace(reading: Reading, verb: string, rest: readonly Token[]): Candidate | undefined {
  const answer = answerOf(reading, rest);
  if (answer === undefined) return undefined;
  const { fact, subject, inverted } = reading;
  return {
    style: "fact",
    question: asQuestion(rise(reading, "where"), inverted.auxiliary, subject, verb),
    answer,
    fact,
    ...about(reading),
  };
}

/** "lets cells grow", "allows ions to pass": asked for what they do. */
function askEnabled(reading: Reading, base: string): Candidate | undefined {
  const { fact, subject, rest, inverted } = reading;
  if (!/^(?:allow|enable|cause|permit|stimulate|force|require|signal|instruct|lead|prompt|induce)$/.test(base))
    return undefined;
  const at = rest.findIndex((t, i) => i > 0 && t.lower === "to" && rest[i + 1]?.pos === "VERB");
  const whom = rest.slice(0, Math.max(0, at));
  if (at < 1 || at > 6 || !isNamed(whom, reading.lexicon)) return undefined;
  const answer = asAnswer(textOf(rest.slice(at + 1), fact.text));
  if (wordCount(answer) < 2 || wordCount(answer) > 20) return undefined;
  return {
    style: "fact",
    question: asQuestion(
      rise(reading, "what"),
      inverted.auxiliary,
      subject,
      inverted.verb,
      textOf(whom, fact.text),
      "to do",
    ),
    answer,
    fact,
    ...about(reading),
  };
}

const WEAK_VERB =
  /^(?:have|do|make|take|get|give|show|provide|allow|undergo|perform|play|possess|exhibit|represent|include|use|involve|see|need|become|cover|want)$/;

/** "What do cells have?" has a hundred answers. */
function isVague({ clause }: Reading, base: string): boolean {
  if (/^(?:some|many|several|few|certain|various|other|most)$/.test(clause.subject[0]?.lower ?? "")) return true;
  const matter = clause.subject.filter((t) => /^(?:NOUN|PROPN|ADJ)$/.test(t.pos) && !isGeneralWord(singular(t.lower)));
  return WEAK_VERB.test(base) && matter.length < 2;
}

/** "petroleum products represents": the reading of the subject is wrong. */
function disagrees({ subject, verbs: [first] }: Clause): boolean {
  const last = subject.at(-1);
  const isPlain = !subject.some((t) => t.pos === "ADP" || t.pos === "VERB" || RELATIVE_WORD.test(t.lower));
  if (
    !first ||
    !last ||
    !isPlain ||
    !/[^sui]s$/.test(last.lower) ||
    subject.some((t) => t.lower === "each" || t.lower === "every")
  )
    return false;
  return !isAuxiliary(first) && first.lower !== first.lemma && first.lower.endsWith("s") && !last.text.endsWith("is");
}
const RELATIVE_WORD = /^(?:that|which|who|where)$/;

/** Verbs that own their preposition: only then may it end a question. */
const HOOKED: Readonly<Record<string, string>> = {
  on: "depend rely act feed focus operate",
  from: "result arise come differ derive originate develop suffer benefit form",
  to: "lead bind refer contribute belong attach respond correspond adhere connect extend relate adapt react",
  of: "consist",
  as: "act serve function work",
  into: "develop divide differentiate break grow turn enter",
  with: "interact react associate combine begin deal",
  for: "account code allow stand search",
  in: "result participate consist",
};
const isHooked = (base: string, hook: string) => (HOOKED[hook] ?? "").split(" ").includes(base);

/** "S V O" asked for S: "What converts light into …?" */
function askSubject(reading: Reading): Candidate | undefined {
  const { fact, clause, rest, lexicon } = reading;
  const [first, ...others] = clause.verbs;
  const named = textOf(clause.subject, fact.text);
  if (rest[0]?.lower === "by" && /ing$/.test(rest[1]?.lower ?? "")) return undefined;
  if (!first || !isShort(clause.subject, 6) || clause.subject.some((t) => t.text === "," || t.pos === "VERB"))
    return undefined;
  if (lexicon.terms.within(named).length === 0 || startsClause(rest, 0)) return undefined;
  const said = textOf(rest, fact.text);
  const isPlural = /^(?:are|were|have|do)$/.test(first.lower) || (!isAuxiliary(first) && first.lower === first.lemma);
  // "What is organisms that": a plural subject does not fit "what is" when a noun follows, nor a second verb.
  if (isPlural && isBe(first) && others.length === 0 && rest[0]?.pos !== "ADJ" && rest[0]?.pos !== "ADP")
    return undefined;
  if (
    isPlural &&
    rest.some((t, i) => /^(?:and|or|but)$/.test(t.lower) && /^(?:VERB|AUX|ADV)$/.test(rest[i + 1]?.pos ?? ""))
  )
    return undefined;
  if (isPlural && rest.some((t) => /^(?:they|their|themselves)$/.test(t.lower))) return undefined;
  const matter = new Set(contentStems(said).filter((s) => !isGeneralWord(s)));
  if (
    matter.size < 3 ||
    wordCount(said) > 24 ||
    (/^(?:a|an|the) /i.test(said) === false && isBe(first) && others.length === 0)
  )
    return undefined;
  const single = new Map([
    ["are", "is"],
    ["were", "was"],
    ["have", "has"],
    ["do", "does"],
  ]).get(first.lower);
  const verb = single ?? (isAuxiliary(first) || first.lower !== first.lemma ? first.lower : thirdPerson(first.lemma));
  if (isModal(first) && others.length === 0) return undefined;
  const isPerson =
    clause.subject.length > 1 && clause.subject.every((t) => t.pos === "PROPN" && /^\p{Lu}\p{Ll}+/u.test(t.text));
  const answer = asAnswer(named);
  return {
    style: "fact",
    question: asQuestion(rise(reading, isPerson ? "who" : "what"), verb, textOf(others, fact.text), said),
    answer,
    fact,
    ...about(reading),
  };
}

/** Questions from who does what. */
export function askRelations(fact: Fact, lexicon: Lexicon): Candidate[] {
  const clause = fact.clause;
  if (!fact.isSound || !clause || !isNamed(clause.subject, lexicon)) return [];
  const inverted = invert(clause, fact.text);
  const lead = leadText(clause, fact);
  if (!inverted || lead === undefined || !isShort(clause.subject, 10) || disagrees(clause)) return [];
  const rest = cutSecondFact(clause.rest);
  const subject = lowerFirst(textOf(clause.subject, fact.text), lexicon);
  const reading: Reading = { fact, clause, lead, subject, inverted, rest, lexicon };
  const isPassive = isBe(clause.verbs[0]);
  const found = isPassive ? [askAgent(reading), askPassive(reading)] : [askObject(reading)];
  return [...found, askSubject(reading)].filter((c) => c !== undefined);
}
