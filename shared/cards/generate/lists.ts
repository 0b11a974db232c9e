import { asAnswer, asQuestion, type Candidate, wordCount } from "./candidates.ts";
import type { Fact } from "../source/facts.ts";
import { type Lexicon, lowerFirst } from "../source/lexicon.ts";
import type { Section } from "../source/sections.ts";
import { isGeneralWord } from "../source/terms.ts";
import { structureFact } from "./structures.ts";
import { ENGLISH_NUMBERS } from "#shared/text/number-words.ts";
import { singular, wordsOf } from "#shared/text/words.ts";

const NUMBERS = ENGLISH_NUMBERS.slice(2, 11);
const COUNTED_ITEMS = new RegExp(
  `\\b((?:the )?(?:${NUMBERS.join("|")}) (?:[\\p{L}-]+ ){0,3}[\\p{L}-]+s(?: (?:of|in|for|to|that|by) [^,:;.]{3,50}?)?)(?:: |—|, namely,? | are:? | include:? )([^.;:]{8,160})\\.?$`,
  "iu",
);
const SEVERAL_ITEMS = /,.*\b(?:and|or) | and /;

/** "the three types of muscle: A, B and C": asks for all three. */
export function askCounted(fact: Fact, lexicon: Lexicon): Candidate[] {
  if (!fact.isSelfContained && !/^(?:there are|these|the) /i.test(fact.text)) return [];
  const match = COUNTED_ITEMS.exec(fact.text);
  const named = match?.[1];
  const items = match?.[2] ?? "";
  if (
    !named ||
    !SEVERAL_ITEMS.test(items) ||
    /\b(?:this|these|it|they|we|you|which|is|are|was|were|has|have|can)\b/i.test(named)
  )
    return [];
  const expected = NUMBERS.findIndex((n) => new RegExp(`\\b${n}\\b`, "i").test(named)) + 2;
  const parts = items.split(/,\s*(?:and|or)?\s*|\s+(?:and|or)\s+/).filter((p) => p !== "");
  const contentWords = wordsOf(named).filter(
    (w) =>
      !isGeneralWord(singular(w)) &&
      !NUMBERS.includes(w) &&
      !/^(?:main|major|basic|broad|important|different|distinct|sequential)$/.test(w),
  );
  if (parts.length !== expected || contentWords.length < (/ (?:of|in|for) /.test(named) ? 1 : 2)) return [];
  const phrase = lowerFirst(named, lexicon).replace(/^the /, "");
  return [{ style: "list", question: asQuestion("What are the", phrase), answer: asAnswer(items), fact }];
}

const LEAD_IN = /^(.{8,140}?)\s*(?:\b(include|includes|including|are|is|consists? of|comprises?)\b[^:]{0,30})?:$/;

/** "Quadratic probing has the following advantages:" names the owner and its things. */
const HAS_COUNTED_ITEMS =
  /^(.{3,80}?) (?:has|have) (?:the following|these|several|(?:two|three|four|five|six) (?:main |major )?)\s?([\p{Ll} -]{4,40}s):$/u;

const MAX_ITEMS = 7;
const MAX_LEAD_IN = 160;

/** The list items below a passage, without bullets and explanations. */
function itemsUnder(section: Section, index: number): { original: string[]; short: string[] } {
  const following = section.blocks.slice(index + 1);
  const stop = following.findIndex(({ blockClass }) => blockClass !== "list_item");
  const original = following.slice(0, stop === -1 ? following.length : stop).map(({ passage }) => passage.text);
  const bare = original.map((t) =>
    t.replace(/^\s*(?:[•◦▪–*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+/i, "").replace(/[.;,]$/, ""),
  );
  const short = bare.map((t) => t.split(/\s*[:–—]\s/)[0] ?? "");
  return { original, short: short.every((t) => NUMBERED_ITEM.test(t)) ? [] : short };
}

/** "Step 1": a number instead of the thing. */
const NUMBERED_ITEM = /^(?:step|phase|stage|part|case|type|level|example) \d/i;

/** "To build a table that is fast, it should have …": a purpose instead of an owner. */
const UNUSABLE_OWNER = /^(?:to|in|for|if|when|while|since|because)\b|,/i;

const UNRESOLVED_PRONOUN = /\b(?:this|these|it|they|we|you|your|my)\b/i;

/** "The layers of the air are:" can be asked; "They are:" can't. */
function readLeadIn(text: string): { verb: string; subject: string } | undefined {
  const line = text.length > MAX_LEAD_IN ? "" : text.trim();
  const [, subject = "", word] = LEAD_IN.exec(line) ?? [];
  const isVague =
    UNRESOLVED_PRONOUN.test(subject) ||
    /[.!?] | [–—] /.test(subject) ||
    wordsOf(subject).every((w) => isGeneralWord(w));
  const ownedThings = readOwnedThings(line);
  if (ownedThings !== undefined) return ownedThings;
  return word === undefined || isVague ? undefined : { verb: word === "is" ? "is" : "are", subject };
}

/** "Quadratic probing has the following advantages:" becomes "the advantages of quadratic probing". */
function readOwnedThings(line: string): { verb: string; subject: string } | undefined {
  const [, owner, things] = HAS_COUNTED_ITEMS.exec(line) ?? [];
  if (owner === undefined || things === undefined || UNRESOLVED_PRONOUN.test(owner) || UNUSABLE_OWNER.test(owner))
    return undefined;
  return { verb: "are", subject: `the ${things} of ${owner.charAt(0).toLowerCase()}${owner.slice(1)}` };
}

/** Asks for the short items below a paragraph that ends in a colon. */
export function askListed(section: Section, facts: readonly Fact[], lexicon: Lexicon): Candidate[] {
  return section.blocks.flatMap(({ passage }, i): Candidate[] => {
    const fact = facts.find((f) => f.passage === passage && f.end >= passage.text.trimEnd().length);
    const lead = fact && readLeadIn(fact.original);
    const { original, short } = lead ? itemsUnder(section, i) : { original: [], short: [] };
    const answer = short.join("; ");
    const fits = short.length > 1 && short.length <= MAX_ITEMS && wordCount(answer) <= 24;
    if (!lead || !fact || !fits || short.some((s) => wordsOf(s).length === 0)) return [];
    const question = asQuestion("What", lead.verb, lowerFirst(lead.subject, lexicon));
    return [{ style: "list", question, answer: asAnswer(answer), fact, quote: [fact.original, ...original].join(" ") }];
  });
}

/** "Causes of the First World War", "The phases of mitosis": the heading of a slide that lists them. */
const LIST_HEADING =
  /^(?:The )?((?:main |major |basic |\p{L}+ )?(?:types|kinds|forms|causes|effects|consequences|reasons|phases|stages|steps|parts|components|elements|layers|levels|branches|functions|properties|features|symptoms|advantages|disadvantages|benefits|goals|principles|factors) (?:of|for|in) [^:;.?!]{3,60})$/iu;

const MAX_ITEM_WORDS = 8;
const MAX_ANSWER_WORDS = 24;

const BULLET = /^\s*(?:[•◦▪–*-]|\(?(?:\d{1,2}|[a-z])[.)])\s+/iu;

/** Asks for the points of a slide that has nothing but these points below a heading which says what they are. */
export function askHeadedList({ title, blocks }: Section, order: number, lexicon: Lexicon): Candidate[] {
  const things = LIST_HEADING.exec(title.trim())?.[1];
  const [first] = blocks;
  if (things === undefined || first === undefined || blocks.some(({ blockClass }) => blockClass !== "list_item"))
    return [];
  const original = blocks.map(({ passage }) => passage.text);
  const items = original.map(
    (text) =>
      text
        .replace(BULLET, "")
        .replace(/[.;,]$/u, "")
        .split(/\s*[:–—]\s/u)[0] ?? "",
  );
  const answer = items.join("; ");
  const isShort = items.every((item) => item !== "" && wordCount(item) <= MAX_ITEM_WORDS);
  if (items.length < 2 || items.length > MAX_ITEMS || !isShort || wordCount(answer) > MAX_ANSWER_WORDS) return [];
  const question = asQuestion("What are the", lowerFirst(things, lexicon));
  return [
    {
      style: "list",
      question,
      answer: asAnswer(answer),
      fact: structureFact(first.passage, order),
      quote: original.join(" "),
    },
  ];
}
