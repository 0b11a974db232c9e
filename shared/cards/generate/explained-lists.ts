import type { Candidate } from "./candidates.ts";
import { wordCount } from "./candidates.ts";
import { cleanSentence } from "../source/cleaning.ts";
import type { Fact } from "../source/facts.ts";
import { refersToOtherSentence } from "../source/sentence-rejection.ts";
import { BLANK } from "../schema.ts";
import { contentStems, phraseKey } from "#shared/text/words.ts";

const MAX_WORDS = 31;
const MIN_CONTEXT_WORDS = 4;

/**
 * "There are three kinds of X: A, in which …; B, in which …": asks for each item, with the list's opening line before
 * it.
 */
export function askExplainedItems(fact: Fact): Candidate[] {
  const { original, emphasised } = fact;
  const colon = original.indexOf(": ");
  const items = colon > 0 ? original.slice(colon + 2).split(/;\s+(?:and\s+)?/) : [];
  if (items.length < 2) return [];
  const lead = cleanSentence(`${original.slice(0, colon)}.`).replace(/\.$/, "");
  if (refersToOtherSentence(lead) || /\b(?:figure|table|we|you)\b/i.test(lead)) return [];
  return items.flatMap((item): Candidate[] => {
    const itemText = cleanSentence(item).replace(/[.;,]$/, "");
    const name = emphasised.find((m) =>
      itemText
        .toLowerCase()
        .replace(/^(?:an?|the) /, "")
        .startsWith(m.toLowerCase()),
    );
    if (name === undefined) return [];
    const nameStart = itemText.toLowerCase().indexOf(name.toLowerCase());
    const explanation = itemText
      .slice(nameStart + name.length)
      .replace(/, (?:such as|as with|as in|for example)\b.*$/i, "");
    const article = nameStart === 0 ? "" : itemText.slice(0, nameStart).toLowerCase();
    const question = `${lead}: ${article}${BLANK}${explanation}.`;
    const isEnough =
      new Set(contentStems(explanation)).size >= MIN_CONTEXT_WORDS &&
      /^(?:,| (?:is|are|which|that|in)\b)/.test(explanation);
    const isRevealed = contentStems(name).every((s) => new Set(contentStems(`${lead} ${explanation}`)).has(s));
    if (!isEnough || isRevealed || wordCount(question) > MAX_WORDS || refersToOtherSentence(explanation)) return [];
    return [
      {
        style: "cloze",
        question,
        answer: itemText.slice(nameStart, nameStart + name.length),
        fact,
        termKey: phraseKey(name),
      },
    ];
  });
}
