import { asAnswer, asQuestion, type Candidate, wordCount } from "#shared/engine/candidates.ts";
import { type Fact } from "#shared/engine/facts.ts";
import { type Lexicon, lowerFirst } from "#shared/engine/naming.ts";
import type { Section } from "#shared/engine/sections.ts";
import { isGeneralWord } from "#shared/engine/terms.ts";
import { singular, wordsOf } from "#shared/engine/words.ts";

const NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const COUNTED = new RegExp(
  `\\b((?:the )?(?:${NUMBERS.join("|")}) (?:[\\p{L}-]+ ){0,3}[\\p{L}-]+s(?: (?:of|in|for|to|that|by) [^,:;.]{3,50}?)?)(?:: |—|, namely,? | are:? | include:? )([^.;:]{8,160})\\.?$`,
  "iu",
);
const ITEMS = /,.*\b(?:and|or) | and /;

/** "the three types of muscle: A, B and C". */
export function askCounted(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!fact.isSound && !/^(?:there are|these|the) /i.test(fact.text)) return [];
  const match = COUNTED.exec(fact.text);
  const named = match?.[1];
  const items = match?.[2] ?? "";
  if (!named || !ITEMS.test(items) || /\b(?:this|these|it|they|we|you|which)\b/i.test(named)) return [];
  const expected = NUMBERS.findIndex((n) => new RegExp(`\\b${n}\\b`, "i").test(named)) + 2;
  const parts = items.split(/,\s*(?:and|or)?\s*|\s+(?:and|or)\s+/).filter((p) => p !== "");
  const matter = wordsOf(named).filter(
    (w) =>
      !isGeneralWord(singular(w)) &&
      !NUMBERS.includes(w) &&
      !/^(?:main|major|basic|broad|important|different|distinct|sequential)$/.test(w),
  );
  if (parts.length !== expected || matter.length < (/ (?:of|in|for) /.test(named) ? 1 : 2)) return [];
  const phrase = lowerFirst(named, lexicon).replace(/^the /, "");
  return [{ style: "list", question: asQuestion("What are the", phrase), answer: asAnswer(items), fact }];
}

const LEAD_IN =
  /^(.{8,140}?)\s*(?:\b(include|includes|including|are|is|as follows|the following|consists? of|comprises?)\b[^:]{0,30})?:$/;

/** A paragraph that ends in a colon and the short points under it. */
export function askListed(section: Section, facts: readonly Fact[], lexicon: Lexicon): Candidate[] {
  const found: Candidate[] = [];
  for (const [i, passage] of section.passages.entries()) {
    const items: string[] = [];
    for (let j = i + 1; section.passages[j]?.kind === "list_item"; j++) items.push(section.passages[j]?.text ?? "");
    const lead = LEAD_IN.exec(passage.text.trim());
    const fact = facts.find((f) => f.passage === passage && f.end >= passage.text.trimEnd().length);
    const subject = lead?.[1]?.trim() ?? "";
    if (!lead?.[2] || !fact || items.length < 2 || items.length > 7 || passage.text.length > 160) continue;
    if (/\b(?:this|these|it|they|we|you|your|my)\b/i.test(subject) || wordsOf(subject).every((w) => isGeneralWord(w)))
      continue;
    const short = items.map(
      (t) =>
        t
          .replace(/^\s*(?:[•◦▪–*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+/i, "")
          .replace(/[.;,]$/, "")
          .split(/\s*[:–—]\s/)[0] ?? "",
    );
    const answer = short.join("; ");
    if (wordCount(answer) > 24 || short.some((s) => wordsOf(s).length === 0)) continue;
    const verb = lead[2] === "is" ? "is" : "are";
    const question = asQuestion("What", verb, lowerFirst(subject, lexicon));
    const quote = [fact.raw, ...items].join(" ");
    found.push({ style: "list", question, answer: asAnswer(answer), fact, quote });
  }
  return found;
}
