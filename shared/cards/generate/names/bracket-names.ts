import { type Candidate, wordCount } from "../candidates.ts";
import { cleanSentence } from "../../source/cleaning.ts";
import type { Fact } from "../../source/facts.ts";
import { refersToOtherSentence, rejectSentence } from "../../source/sentence-rejection.ts";
import { BLANK } from "../../schema.ts";
import { contentStems, phraseKey } from "#shared/text/words.ts";

const MAX_WORDS = 32;
const MIN_CONTEXT_WORDS = 5;
/** Placeholder for the brackets while other asides are removed. */
const BRACKET_PLACEHOLDER = "Xbracketx";

/** "high-energy bonds (phosphoanhydride bonds) that link": an emphasised name in brackets. */
export function askBracketNames(fact: Fact): Candidate[] {
  const { original, emphasised } = fact;
  if (!fact.isSelfContained) return [];
  return emphasised.flatMap((name): Candidate[] => {
    const bracketed = `(${name})`;
    const at = original.indexOf(bracketed);
    if (at < 10) return [];
    const text = cleanSentence(
      `${original.slice(0, at)}${BRACKET_PLACEHOLDER}${original.slice(at + bracketed.length)}`,
    );
    const plain = text.replace(` ${BRACKET_PLACEHOLDER}`, "");
    const question = text.replace(BRACKET_PLACEHOLDER, `(${BLANK})`);
    const contextStems = new Set(contentStems(plain));
    const isHidden = contentStems(name).some((stem) => !contextStems.has(stem));
    const isFit =
      question !== text && wordCount(question) <= MAX_WORDS && contextStems.size >= MIN_CONTEXT_WORDS && isHidden;
    if (!isFit || rejectSentence(plain) !== undefined || refersToOtherSentence(plain)) return [];
    return [{ style: "cloze", question, answer: name, fact, termKey: phraseKey(name) }];
  });
}
