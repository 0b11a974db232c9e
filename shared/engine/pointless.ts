import type { Candidate, Style } from "#shared/engine/candidates.ts";
import { isGeneralWord } from "#shared/engine/terms.ts";
import { contentStems } from "#shared/engine/words.ts";

/** "The ____ for all living things is to obtain energy": a word for any purpose names none. */
const ANY_PURPOSE =
  /^(?:challenges?|goals?|aims?|tasks?|purposes?|problems?|questions?|reasons?|advantages?|disadvantages?|benefits?|ideas?|points?|ways?|results?|effects?|roles?|functions?|examples?|approach(?:es)?|solutions?)$/i;
/** "Two distinct phases": how many there are, and not which. */
const HOW_MANY =
  /^(?:two|three|four|five|six|seven|eight|nine|ten) (?:[\p{L}-]+ )?(?:phases|stages|parts|steps|types|kinds|groups|forms|classes|categories|components|levels|regions|ways|factors|elements|sections)$/iu;
/** "A few types of fungi": which ones is not said. */
const SOME_OF_THEM =
  /^(?:many|several|numerous|obvious|a few|a number of|a variety of|a different|an? (?:additional|similar)|the same|another|other|some|certain|various|any of the)\b|^(?:one|most) of\b/i;
const A_FEW = /\b(?:is|are|do|does|can|must|did) (?:a few|a number of|a variety of)\b/i;
/** "Factors involved in it": no name of anything. */
const NAMELESS =
  /^(?:the )?(?:factors|things|elements|mechanisms|processes|structures|changes|aspects) (?:that|which|involved|of|in)\b/i;
/** "Certain duties": which is not said. */
const CERTAIN = /\bcertain (?!that\b|of\b)/i;
/** "A must, unless B": without what follows it would be false. */
const UNLESS = /\b(?:unless|except)\b/i;
/** "Three examples of fuels are": there are others. */
const EXAMPLES = /^What are (?:the )?(?:\p{L}+ )?examples\b/iu;
/** "When is it called X? After J. X": after whom is no time. */
const NAMED_AFTER = /^(?:After|Before) \p{Lu}/u;
/** "When does it rise whenever …?" */
const TWICE_WHEN = /^When\b.*\b(?:when|whenever)\b/i;

/** "Prophase II, and so on": the rest is left to be guessed. */
const LEFT_OPEN = /\b(?:and so on|and so forth|etc)\b/i;
/** "The reduced form of the molecule": of which? */
const OF_THE_THING =
  /\bof the (?:molecule|compound|substance|process|object|structure|method|device)\b(?! (?:of|that|which|in|from)\b)/i;
/** "The curve, noted ____": its letters are those of the words before. */
const SHORT = /^\p{Lu}{2,6}s?$/u;
const initialsOf = (words: string) =>
  (words.match(/\p{L}+/gu) ?? []).map((word) => word.charAt(0).toUpperCase()).join("");
const spells = (words: string, letters: string) => initialsOf(words).includes(letters.replace(/s$/, ""));

/** "In languages with a ____, the GC frees": the letters of the answer stand beside it. */
function tellsLetters(question: string, answer: string): boolean {
  const letters = initialsOf(answer);
  return letters.length > 1 && question.split(/[^\p{L}\p{N}]+/u).some((word) => word.replace(/s$/, "") === letters);
}

/** "So that when they divide": what then, was cut off. */
const UNFINISHED = /^So that (?:when|if|once|after|before)\b[^,]*$/i;

/** "What seemed sound since all disks used a sector? The sector assumption": most of the answer stands in the question. */
function repeatsQuestion({ question, answer }: Candidate): boolean {
  const [asked, said] = [new Set(contentStems(question)), [...new Set(contentStems(answer))]];
  return said.length > 2 && said.length < 6 && said.filter((stem) => asked.has(stem)).length >= said.length * 0.66;
}

const isNamedAfter = ({ question, answer }: Candidate) =>
  /\b(?:called|named|termed)\b/.test(question) && NAMED_AFTER.test(answer);

/** What makes a card of each style worthless; what is true of every style comes first. */
const POINTLESS: Readonly<Partial<Record<Style, (candidate: Candidate) => boolean>>> = {
  definition: ({ answer }) => OF_THE_THING.test(answer),
  cloze: ({ question, answer, fact }) =>
    (SHORT.test(answer) && spells(question, answer)) ||
    /____, or \p{Lu}{2}/u.test(question) ||
    tellsLetters(question, answer) ||
    isGeneralWord(answer.toLowerCase()) ||
    (ANY_PURPOSE.test(answer) && fact.marked.length === 0),
  when: (candidate) => TWICE_WHEN.test(candidate.question) || isNamedAfter(candidate),
  why: ({ answer }) => /^(?:While|Although)\b/.test(answer),
  list: ({ question }) => EXAMPLES.test(question),
  fact: ({ question, answer }) =>
    HOW_MANY.test(answer) ||
    SOME_OF_THEM.test(answer) ||
    NAMELESS.test(answer) ||
    A_FEW.test(question) ||
    /^What (?:do|does) \p{L}+ing (?:or|and) \p{L}+ing\b/u.test(question) ||
    /\b(?:using|including)\?$/.test(question),
};

/** What a card of these two faces could not teach, however it came about: one answer among many, or none. */
export function isPointless(candidate: Candidate): boolean {
  const { style, question, answer, fact } = candidate;
  const isHalf = style !== "cloze" && UNLESS.test(fact.text) && !UNLESS.test(`${question} ${answer}`);
  return (
    isHalf ||
    (style !== "cloze" && repeatsQuestion(candidate)) ||
    CERTAIN.test(answer) ||
    LEFT_OPEN.test(answer) ||
    UNFINISHED.test(answer) ||
    POINTLESS[style]?.(candidate) === true
  );
}
