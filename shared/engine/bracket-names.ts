import { type Candidate, wordCount } from "./candidates.ts";
import { cleanSentence } from "./cleaning.ts";
import type { Fact } from "./facts.ts";
import { pointsBack, refuseSentence } from "./refusals.ts";
import { BLANK } from "./schema.ts";
import { contentStems, phraseKey } from "./words.ts";

const MAX_WORDS = 32;
const MIN_SAID = 5;
/** Stands for the brackets while the sentence is cleaned of its other asides. */
const HELD = "Xbracketx";

/** "high-energy bonds (phosphoanhydride bonds) that link": a name that is given in brackets, and set off there. */
export function askBracketNames(fact: Fact): Candidate[] {
  const { raw, marked } = fact;
  if (!fact.isSound) return [];
  return marked.flatMap((name): Candidate[] => {
    const held = `(${name})`;
    const at = raw.indexOf(held);
    if (at < 10) return [];
    const text = cleanSentence(`${raw.slice(0, at)}${HELD}${raw.slice(at + held.length)}`);
    const plain = text.replace(` ${HELD}`, "");
    const question = text.replace(HELD, `(${BLANK})`);
    const said = new Set(contentStems(plain));
    const isHidden = contentStems(name).some((stem) => !said.has(stem));
    const isFit = question !== text && wordCount(question) <= MAX_WORDS && said.size >= MIN_SAID && isHidden;
    if (!isFit || refuseSentence(plain) !== undefined || pointsBack(plain)) return [];
    return [{ style: "cloze", question, answer: name, fact, termKey: phraseKey(name) }];
  });
}
