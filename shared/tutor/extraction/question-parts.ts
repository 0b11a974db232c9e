import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal } from "#shared/text/tokens.ts";

/** A word that describes the noun after it: "anterograde and retrograde amnesia" are two kinds of amnesia. */
const DESCRIBES = /(?:al|ic|ive|ary|ory|ous|ar|ade|ed|ing|ent|ant|ible|able|ile|it|ine|ese|an|onic|er|ische?r?|e)$/iu;

/** Adds the last word of `second` to `first` if only `second` has it. */
function withSharedNoun(first: string, second: string): string {
  const words = second.trim().split(/\s+/u);
  if (first.trim().split(/\s+/u).length !== 1 || words.length < 2 || !DESCRIBES.test(first.trim())) return first.trim();
  return `${first.trim()} ${words.at(-1) ?? ""}`;
}

const whatIs = (first: string, second: string) => [
  `What is ${withSharedNoun(first, second)}?`,
  `What is ${second.trim()}?`,
];

const COMPARISONS: readonly RegExp[] = [
  /\b(?:differences?|distinction|relation(?:ship)?) between (.+?) and (?:the )?(.+?)[\s.?!]*$/iu,
  /\bcompare (.+?) (?:and|with|to|against) (.+?)[\s.?!]*$/iu,
  /\bhow (?:do|does|did|are|is) (.+?) (?:differ|different) from (.+?)[\s.?!]*$/iu,
  /\bhow (?:do|does|did|are|is) (.+?) and (.+?) (?:differ|different)\b[\s.?!]*$/iu,
  /\b(?:unterschiede?) zwischen (.+?) und (.+?)[\s.?!]*$/iu,
  /\b(?:vergleiche?) (.+?) (?:und|mit) (.+?)[\s.?!]*$/iu,
];
const DEFINITIONS =
  /^\s*(?:what|who) (?:is|are|was|were) (.{2,40}?) and (?:(?:what|who) (?:is|are|was|were) )?(.{2,40}?)[\s.?!]*$/iu;
const SHARED_VERB =
  /^\s*((?:how \p{L}+|when|where|why|who)) (do|does|did|is|are|was|were) (.{2,40}?) and (.{2,40}?) (\p{L}+)[\s.?!]*$/iu;
const SEVERAL =
  /,?\s+(?:and|und)\s+(?=(?:when|what|who|how|why|where|which|wann|was|wer|wie|warum|wo|welche[rs]?)\b)/iu;
const ASKED = /\b(?:when|what|who|how|why|where|which|wann|was|wer|wie|warum|wo|welche[rs]?)\b/iu;

function findPair(question: string, pattern: RegExp): string[] | undefined {
  const [, first, second] = pattern.exec(question) ?? [];
  return first === undefined || second === undefined ? undefined : whatIs(first, second);
}

function splitSubjects(question: string): string[] | undefined {
  const match = SHARED_VERB.exec(question);
  if (!match) return undefined;
  const [, asked = "", verb = "", first = "", second = "", end = ""] = match;
  return [first, second].map((subject) => `${asked} ${verb} ${subject} ${end}?`);
}

const PRONOUN = /\b(?:they|it|them|he|she)\b/iu;
const AUXILIARY = /^(?:do|does|did|is|are|was|were|has|have|can|could|will|would|should)$/u;

/** The noun phrase after the first verb of a question: "prokaryotic cells" in "How big are prokaryotic cells". */
function subjectPhrase(question: string): string | undefined {
  const tokens = tagSentence(question);
  const start = tokens.findIndex(({ lower }) => AUXILIARY.test(lower)) + 1;
  if (start === 0) return undefined;
  let end = start;
  while (/^(?:ADJ|NUM|DET)$/u.test(tokens[end]?.pos ?? "")) end += 1;
  while (isNominal(tokens[end])) end += 1;
  const phrase = tokens.slice(start, end);
  const [first, last] = [phrase[0], phrase.at(-1)];
  if (!first || !last || !phrase.some(isNominal) || PRONOUN.test(first.text)) return undefined;
  return question.slice(first.start, last.start + last.text.length);
}

/** Replaces "they" or "it" in a later part by the subject of the first part. */
function withSubject(parts: readonly string[]): string[] {
  const [first = "", ...rest] = parts;
  const subject = subjectPhrase(first);
  return [first, ...rest.map((part) => (subject === undefined ? part : part.replace(PRONOUN, subject)))];
}

/** The limit exists because each part needs a search and space in the answer. */
const MAX_PARTS = 3;
/** A longer message is a text that contains a question instead of a question with parts. */
const MAX_SPLIT_CHARS = 1000;

const findCompared = (question: string): string[] | undefined =>
  COMPARISONS.map((pattern) => findPair(question, pattern)).find((parts) => parts !== undefined);

/** "When was it built, and who paid for it?" One sentence may answer both, unlike "what does A do, and what does B do?". */
export function asksSeparately(question: string): boolean {
  const parts = findCompared(question) === undefined ? question.split(SEVERAL) : [];
  const asked = new Set(parts.map((part) => ASKED.exec(part)?.[0].toLowerCase()));
  return parts.length > 1 && asked.size === parts.length;
}

function findParts(question: string): string[] | undefined {
  const compared = findCompared(question);
  if (compared) return compared;
  const several = question.split(SEVERAL).filter((part) => part.trim() !== "");
  if (several.length > 1) return withSubject(several);
  return findPair(question, DEFINITIONS) ?? splitSubjects(question);
}

/** The questions that a question consists of: one for each thing that is compared or asked about. */
export function splitQuestion(question: string): string[] {
  if (question.length > MAX_SPLIT_CHARS) return [question];
  // "and why?" has no words of its own to search for.
  const parts = findParts(question)?.filter((part) => searchTerms(contentQuery(part)).length > 0) ?? [];
  return parts.length > 1 ? parts.slice(0, MAX_PARTS) : [question];
}
