import { contentQuery } from "#shared/text/query-stopwords.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import type { TopicHeading } from "../schema.ts";
import type { researchWording } from "../wording.ts";

export interface ResearchTask {
  id: string;
  heading: string;
  topic: TopicHeading | null;
  query: string;
}

type Headings = (typeof researchWording)["en"]["headings"];

const QUESTION_WORD =
  "(?:how|why|what|when|where|which|who|whether|wie|warum|wieso|weshalb|was|wann|wo|welche[rsnm]?|wer|ob)";
const NEXT_QUESTION = new RegExp(
  String.raw`(?:[?;]\s+|,?\s+(?:and|und|,)\s+(?=${QUESTION_WORD}(?!\p{L}))|(?<=\p{L}),\s+(?=${QUESTION_WORD}(?!\p{L})))`,
  "iu",
);
const VERSUS = [
  /\b(?:difference|differences|distinction)\s+between\s+(.+?)\s+and\s+(.+?)[?.]*$/iu,
  /\bcompare\s+(.+?)\s+(?:and|with|to)\s+(.+?)[?.]*$/iu,
  /\bhow\s+(?:do|does|did|are|is)\s+(.+?)\s+(?:differ|different)\s+from\s+(.+?)[?.]*$/iu,
  /^(.+?)\s+(?:versus|vs\.?)\s+(.+?)[?.]*$/iu,
  /(?<!\p{L})unterschied(?:e|en)?\s+zwischen\s+(.+?)\s+und\s+(.+?)[?.]*$/iu,
  /(?<!\p{L})vergleiche\s+(.+?)\s+(?:und|mit)\s+(.+?)[?.]*$/iu,
];
/** "How do they differ from …": what they are stands in another part of the question. */
const PRONOUN = /^(?:it|they|this|these|those|that|sie|es|diese|dies)$/iu;
const CONDITION = /^(?:if|since|although|given that|wenn|da|obwohl)\s+(.{8,}?),\s+(.{8,})$/iu;
const TEMPLATES: readonly TopicHeading[] = ["definition", "workings", "kinds", "figures", "limits"];

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const asHeading = (text: string) =>
  upperFirst(
    text
      .trim()
      .replaceAll(/\s+/g, " ")
      .replace(/[.,;:]+$/, ""),
  );
const withMark = (text: string) => (/[?.!]$/.test(text.trim()) ? text.trim() : `${text.trim()}?`);

interface Part {
  heading: string;
  query: string;
}

/** A question that compares two things, and each of them; undefined if it compares nothing. */
function splitComparison(line: string): Part[] | undefined {
  for (const pattern of VERSUS) {
    const [, first, second] = pattern.exec(line) ?? [];
    if (first !== undefined && second !== undefined && !PRONOUN.test(first))
      return [line, first, second].map((query) => ({ heading: asHeading(query), query }));
  }
  return undefined;
}

/** The student's own words, split where they ask more than one thing. */
function splitQuestion(line: string): Part[] {
  const [, condition, main] = CONDITION.exec(line) ?? [];
  if (condition !== undefined && main !== undefined)
    return [
      { heading: asHeading(condition), query: condition },
      { heading: asHeading(withMark(main)), query: main },
    ];
  const parts = line.split(NEXT_QUESTION).filter((part) => searchTerms(contentQuery(part)).length > 0);
  if (parts.length === 0) return [{ heading: asHeading(line), query: line }];
  return parts.map((part) => ({
    heading: asHeading(parts.length > 1 ? withMark(part) : part),
    query: completeQuery(part, parts[0] ?? part),
  }));
}

/** "And how does it work?" is about what the first part names. */
function completeQuery(part: string, first: string): string {
  const terms = searchTerms(contentQuery(part));
  return part === first || terms.length > 2 ? part : `${part} ${contentQuery(first)}`;
}

/** The words of a question that a search needs, each once. */
export function searchWords(question: string): string {
  const words = wordsOf(contentQuery(question)).filter((word) => !isStopWord(word));
  return [...new Set(words)].join(" ") || question;
}

/**
 * Sub-questions of a question by rule: the student's own first, then what a reader of any topic asks. `most` comes from
 * the depth.
 */
export function decomposeQuestion(question: string, most: number, headings: Headings): ResearchTask[] {
  const line = question.trim().replaceAll(/\s+/g, " ");
  const compared = splitComparison(line);
  const own = (compared ?? splitQuestion(line)).slice(0, most);
  const topicQuery = contentQuery(question);
  const asksWhat = /^\s*(?:what|who|was|wer)\s+(?:is|are|was|were|ist|sind|war|waren)(?!\p{L})/iu.test(question);
  // What each of two compared things is stands under its own heading.
  const isDefined = asksWhat || compared !== undefined;
  const room = most - own.length;
  // What fits no heading comes last, at every depth.
  const topics =
    room === 0
      ? []
      : [...TEMPLATES.filter((topic) => !(topic === "definition" && isDefined)).slice(0, room - 1), "more" as const];
  return [
    ...own.map((part) => ({ ...part, topic: null })),
    ...topics.map((topic) => ({ heading: headings[topic], topic, query: topicQuery })),
  ].map((task, at) => ({ id: `t${at + 1}`, ...task }));
}
