import { asAnswer, asQuestion, type Candidate, wordCount } from "./candidates.ts";
import { askClause } from "./circumstances.ts";
import { type Clause, textOf } from "#shared/text/clauses.ts";
import type { Fact } from "../source/facts.ts";
import { isNamed, type Lexicon } from "../source/lexicon.ts";
import { refersToOtherSentence } from "../source/sentence-rejection.ts";
import { cutSecondFact } from "../source/clause-splitting.ts";
import { wordAt } from "#shared/text/tokens.ts";

const CONSEQUENCE_CONNECTIVE =
  /^(?:therefore|thus|hence|consequently|as a (?:result|consequence)|for this reason|because of this|accordingly)\b,?/i;
const CAUSAL_VERB =
  /^(?:allows?|causes?|enables?|prevents?|leads? to|results? in|produces?|makes?|creates?|ensures?|forces?|permits?|gives? rise to|reduces?|increases?|decreases?|stops?|keeps?|protects?|triggers?|raises?|lowers?)\b/i;

/** The previous sentence as a reason, if it names its subject and is short enough for an answer. */
function reasonBefore({ previous }: Fact, lexicon: Lexicon): string | undefined {
  const clause = previous?.clause;
  if (!clause || !previous.isSelfContained || !isNamed(clause.subject, lexicon)) return undefined;
  const whole = previous.text.replace(/[.;:]$/, "");
  // A shortened reason would be wrong.
  return wordCount(whole) >= 4 && wordCount(whole) <= MAX_ANSWER ? whole : undefined;
}
const MAX_ANSWER = 24;

/** "A does X. Therefore, Y": why Y? */
function askWhy(fact: Fact, clause: Clause, lexicon: Lexicon): string | undefined {
  if (!fact.isSelfContained || !CONSEQUENCE_CONNECTIVE.test(fact.original)) return undefined;
  // "Thus A does this, and B does that": the reason is for both.
  if (cutSecondFact(clause.rest).length < clause.rest.length) return undefined;
  const question = askClause("why", clause, fact, lexicon);
  return question !== undefined && wordCount(question) > 4 ? question : undefined;
}

/** "A does X. This causes Y": what causes Y? */
function askWhat({ needsContext, tokens, text }: Fact): string | undefined {
  if (!needsContext || !/^(?:this|that)$/.test(wordAt(tokens, 0))) return undefined;
  const stated = textOf([...tokens.slice(1, 2), ...cutSecondFact(tokens.slice(2))], text);
  return CAUSAL_VERB.test(stated) && !refersToOtherSentence(stated) && wordCount(stated) >= 4
    ? asQuestion("What", stated)
    : undefined;
}

/**
 * Asks about a consequence of the previous sentence. That sentence is the answer; the quote contains both sentences.
 */
export function askCauses(fact: Fact, lexicon: Lexicon): Candidate[] {
  const { clause } = fact;
  const statement = fact.isPart ? undefined : reasonBefore(fact, lexicon);
  if (statement === undefined) return [];
  const question = clause ? (askWhy(fact, clause, lexicon) ?? askWhat(fact)) : askWhat(fact);
  if (question === undefined) return [];
  // "Why? The keeper further says": another reason, while the first isn't on the card.
  if (/^\S+ (?:\S+ )?(?:also|further|additionally)\b/i.test(statement)) return [];
  const style = question.startsWith("What") ? "fact" : "why";
  return [{ style, question, answer: asAnswer(statement), fact, withPrevious: true }];
}
