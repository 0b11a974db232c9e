import type { Candidate } from "./candidates.ts";
import { wordCount } from "./candidates.ts";
import { cleanSentence } from "../source/cleaning.ts";
import type { Fact } from "../source/facts.ts";
import { pointsBack } from "../source/sentence-rejection.ts";
import { BLANK } from "../schema.ts";
import { contentStems, phraseKey } from "#shared/text/words.ts";

const MAX_WORDS = 31;
const MIN_CONTEXT_WORDS = 4;

/** "There are three kinds of X: A, in which …; B, in which …": each item is asked after the list's opening line. */
export function askExplainedItems(fact: Fact): Candidate[] {
  const { raw, marked } = fact;
  const colon = raw.indexOf(": ");
  const items = colon > 0 ? raw.slice(colon + 2).split(/;\s+(?:and\s+)?/) : [];
  if (items.length < 2) return [];
  const lead = cleanSentence(`${raw.slice(0, colon)}.`).replace(/\.$/, "");
  if (pointsBack(lead) || /\b(?:figure|table|we|you)\b/i.test(lead)) return [];
  return items.flatMap((item): Candidate[] => {
    const plain = cleanSentence(item).replace(/[.;,]$/, "");
    const name = marked.find((m) =>
      plain
        .toLowerCase()
        .replace(/^(?:an?|the) /, "")
        .startsWith(m.toLowerCase()),
    );
    if (name === undefined) return [];
    const at = plain.toLowerCase().indexOf(name.toLowerCase());
    const contextWords = plain.slice(at + name.length).replace(/, (?:such as|as with|as in|for example)\b.*$/i, "");
    const article = at === 0 ? "" : plain.slice(0, at).toLowerCase();
    const question = `${lead}: ${article}${BLANK}${contextWords}.`;
    const isEnough =
      new Set(contentStems(contextWords)).size >= MIN_CONTEXT_WORDS &&
      /^(?:,| (?:is|are|which|that|in)\b)/.test(contextWords);
    const isRevealed = contentStems(name).every((s) => new Set(contentStems(`${lead} ${contextWords}`)).has(s));
    if (!isEnough || isRevealed || wordCount(question) > MAX_WORDS || pointsBack(contextWords)) return [];
    return [{ style: "cloze", question, answer: plain.slice(at, at + name.length), fact, termKey: phraseKey(name) }];
  });
}
