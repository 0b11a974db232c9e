import { asAnswer, asQuestion, type Candidate, wordCount } from "../candidates.ts";
import type { Fact } from "../../source/facts.ts";
import { phraseKey } from "#shared/text/words.ts";
import { escapeRegExp } from "#shared/escape-reg-exp.ts";

const NAMING_WORD = /\b(?:called|named|names?|known as|termed)\b/i;
const MAX_ANSWER = 24;

/** "Hans Krebs, who first …": the answer is only the name, because his work belongs on another card. */
const PERSON_PHRASE = /^(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+)+),? who\b/u;

/** The text after a name: "(since …)", "(for …)", ", after …". */
const ORIGIN = String.raw`(?:\s*\((since|because|as|for|after|from)\s+([^()]{8,160})\)|,\s*(?:named |so called )?(after)\s+([^;:()]{4,160}))`;

/** Asks for the origin of an emphasised name. */
export function askOrigins(fact: Fact): Candidate[] {
  const { original, emphasised } = fact;
  if (!NAMING_WORD.test(original)) return [];
  return emphasised.flatMap((name): Candidate[] => {
    const match = new RegExp(String.raw`\b((?:the|an?)\s+)?${escapeRegExp(name)}${ORIGIN}`, "iu").exec(original);
    const [, article = "", why, reason = "", , person = ""] = match ?? [];
    const statement = (reason || person).replace(/\s*[.]$/, "");
    if (wordCount(statement) < 2 || wordCount(statement) > MAX_ANSWER) return [];
    const isReason = why !== undefined && /^(?:since|because|as)$/i.test(why);
    const texts = isReason
      ? askWhy(`${article}${name}`, `${why} ${statement}`)
      : askAfter(`${article}${name}`, statement);
    return [{ style: "definition", ...texts, fact, termKey: phraseKey(name) }];
  });
}

const askWhy = (called: string, reason: string) => ({
  question: asQuestion("Why is", called, "so called"),
  answer: asAnswer(reason),
});

function askAfter(called: string, statement: string) {
  const person = PERSON_PHRASE.exec(statement)?.[1];
  const opening = person === undefined ? "What is" : "Whom is";
  return { question: asQuestion(opening, called, "named after"), answer: asAnswer(person ?? statement) };
}
