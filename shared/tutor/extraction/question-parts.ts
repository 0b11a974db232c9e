/** A word that describes the noun after it: "anterograde and retrograde amnesia" are two kinds of amnesia. */
const DESCRIBES = /(?:al|ic|ive|ary|ory|ous|ar|ade|ed|ing|ent|ant|ible|able|ile|it|ine|ese|an|onic|er|ische?r?|e)$/iu;

/** Shares the last word of `second` with `first` where only the second has it. */
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

/** The questions that a question consists of: one for each thing that is compared or asked about. */
export function splitQuestion(question: string): string[] {
  const compared = COMPARISONS.map((pattern) => findPair(question, pattern)).find((parts) => parts !== undefined);
  if (compared) return compared;
  const several = question.split(SEVERAL).filter((part) => part.trim() !== "");
  if (several.length > 1) return several;
  return findPair(question, DEFINITIONS) ?? splitSubjects(question) ?? [question];
}
