import { comparedThings } from "../evidence/compared-things.ts";
import { kindOfQuestion } from "../evidence/cues.ts";
import { contentQuery, isGermanQuestion } from "#shared/text/query-stopwords.ts";
import { isStopWord, wordsOf } from "#shared/text/words.ts";
import { searchTerms } from "#shared/text/search-terms.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal, type Token } from "#shared/text/tokens.ts";
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

/** A comparison, and a part for each of the two compared things; undefined if the question compares nothing. */
function splitComparison(line: string): Part[] | undefined {
  const things = comparedThings(line);
  return things && [line, ...things].map((query) => ({ heading: asHeading(query), query }));
}

/** The parts of a line of several questions, one of which compares two things; undefined if none does. */
function splitComparisons(line: string): Part[] | undefined {
  const parts = listParts(line).filter((part) => searchTerms(contentQuery(part)).length > 0);
  const compared = parts.map((part) => splitComparison(parts.length > 1 ? withMark(part) : part));
  if (compared.every((one) => one === undefined)) return undefined;
  return parts.flatMap(
    (part, at) =>
      compared[at] ?? [{ heading: asHeading(withMark(part)), query: completeQuery(part, parts[0] ?? line) }],
  );
}

/** "And what happens then?": asks for what follows, so it belongs to the question before it. */
const ASKS_WHAT_FOLLOWS =
  /^(?:what\s+(?:happens|happened|comes|came|follows|followed|is done|was done)|how does it go on|was (?:passiert|geschieht|folgt))\s*(?:then|next|after(?:wards?)?|after (?:that|this)|dann|danach|als nächstes)?[?.\s]*$/iu;

/** Splits a question at its conjunctions, but a part that only asks what follows stays with the part before it. */
function listParts(line: string): string[] {
  const joints = [...line.matchAll(new RegExp(NEXT_QUESTION, "giu"))];
  const starts = [0, ...joints.map(({ index, 0: joint }) => index + joint.length)];
  const ends = [...joints.map(({ index }) => index), line.length];
  const parts: { start: number; end: number }[] = [];
  for (const [at, start] of starts.entries()) {
    const end = ends[at] ?? line.length;
    const last = parts.at(-1);
    if (last && ASKS_WHAT_FOLLOWS.test(line.slice(start, end))) last.end = end;
    else parts.push({ start, end });
  }
  return parts.map(({ start, end }) => line.slice(start, end));
}

/** "Explain osmosis.": asks without a question mark. */
const REQUEST =
  /^(?:please\s+|bitte\s+)?(?:explain|describe|compare|contrast|define|discuss|outline|summari[sz]e|list|name|give|tell|erklär(?:e|en)?|beschreib(?:e|en)?|vergleich(?:e|en)?|definier(?:e|en)?|nenn(?:e|en)?|erläuter(?:e|n)?|fass(?:e|en)?|gib|sag)(?!\p{L})/iu;
const isAsked = (sentence: string) => sentence.endsWith("?") || REQUEST.test(sentence);

/**
 * The questions of a text and the statements before them: a selection often contains both. Without a question mark, all
 * of it is asked.
 */
function splitStatements(line: string): { asked: string; stated: string } {
  const sentences = splitSentences(line).map(({ text }) => text);
  const first = sentences.findIndex(isAsked);
  if (first <= 0 || !sentences.some((text) => text.endsWith("?"))) return { asked: line, stated: "" };
  const asked = sentences.filter(isAsked).join(" ");
  // A pronoun further on refers to what is asked first.
  const hasPronoun = POINTS_BACK.test(sentences[first] ?? "");
  return { asked, stated: hasPronoun ? sentences.slice(0, first).join(" ") : "" };
}

/** "Who gains and who loses from inflation?": a first part that names nothing is about what the next one names. */
function joinWithoutNoun([first, second, ...others]: readonly string[]): string[] {
  if (first === undefined || second === undefined) return first === undefined ? [] : [first];
  const namesNothing = !isGermanQuestion(first) && !tagSentence(first).some(isNominal);
  return namesNothing ? [`${first} and ${second}`, ...others] : [first, second, ...others];
}

/** The student's own words, split if they ask several things. */
function splitQuestion(line: string, stated: string): Part[] {
  const [, condition, main] = CONDITION.exec(line) ?? [];
  if (condition !== undefined && main !== undefined)
    return [
      { heading: asHeading(condition), query: condition },
      { heading: asHeading(withMark(main)), query: main },
    ];
  const parts = joinWithoutNoun(listParts(line)).filter((part) => searchTerms(contentQuery(part)).length > 0);
  if (parts.length === 0) return [{ heading: asHeading(line), query: line }];
  const subject = stated !== "" && POINTS_BACK.test(parts[0] ?? "") ? stated : (parts[0] ?? line);
  return parts.map((part) => ({
    heading: asHeading(parts.length > 1 ? withMark(part) : part),
    query: completeQuery(part, subject),
  }));
}

/** The first of several questions, which cannot refer to an earlier one. */
export const firstQuestionOf = (line: string): string => line.split(NEXT_QUESTION)[0] ?? line;

const POINTS_BACK =
  /(?<!\p{L})(?:it|its|they|them|their|he|him|his|she|her|es|sie|ihn|ihm|ihnen|ihre?[nmrs]?|seine?[nmrs]?)(?!\p{L})/iu;

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(" ");
const ASKS_WITH_AUXILIARY = /^(?:\p{L}+\s+)?(?:do|does|did|can|could)\s/iu;

/** The first noun phrase of a question, as written: "enzymes" in "How do enzymes lower the activation energy?". */
export function firstNounPhrase(question: string): string {
  const tokens = tagSentence(question);
  const endOfNouns = (from: number): number => {
    const noun = tokens.findIndex((token, at) => at >= from && isNominal(token));
    const end = tokens.findIndex((token, at) => at > noun && !isNominal(token));
    return noun === -1 ? from : end === -1 ? tokens.length : end;
  };
  const start = tokens.findIndex((token) => isNominal(token) || token.pos === "ADJ");
  if (start === -1) return "";
  const end = endOfNouns(start);
  // "How do glaciers move?": the tagger takes the verb for a noun.
  const isVerbTaggedAsNoun = ASKS_WITH_AUXILIARY.test(question) && !tokens.slice(end).some(({ pos }) => pos === "VERB");
  if (isVerbTaggedAsNoun && end - start > 1) return textOf(tokens.slice(start, end - 1));
  return textOf(tokens.slice(start, tokens[end]?.pos === "ADP" ? endOfNouns(end) : end));
}

/** "Prokaryotes transcription" for "How do prokaryotes start transcription?". */
const nounsOf = (question: string): string =>
  textOf(tagSentence(question).filter((token) => isNominal(token) || token.pos === "ADJ"));

/** Adds the subject of the first part to a part with a pronoun: "And how does it work?", "what limits them?". */
function completeQuery(part: string, first: string): string {
  const terms = searchTerms(contentQuery(part));
  if (part === first || terms.length > 2) return part;
  const pronouns = new Set(part.toLowerCase().match(new RegExp(POINTS_BACK, "giu")));
  const subject =
    pronouns.size === 0 || isGermanQuestion(first)
      ? ""
      : contentQuery(pronouns.size > 1 ? nounsOf(first) : firstNounPhrase(first));
  return `${part} ${subject === "" ? contentQuery(first) : subject}`;
}

/** The words of a question that a search needs, without repetition. */
export function searchWords(question: string): string {
  const words = wordsOf(contentQuery(question)).filter((word) => !isStopWord(word));
  return [...new Set(words)].join(" ") || question;
}

/**
 * Sub-questions of a question by rule: the student's own first (at most `most`, by depth), then standard questions
 * about any topic that the student did not ask. The limits of pages and queries end the searches for the standard ones.
 * Last comes a section for further answers to the student's own questions, which needs no search.
 */
export function decomposeQuestion(question: string, most: number, headings: Headings): ResearchTask[] {
  const line = question.trim().replaceAll(/\s+/g, " ");
  const { asked: questions, stated } = splitStatements(line);
  const compared = splitComparisons(questions);
  const own = (compared ?? splitQuestion(questions, stated)).slice(0, most);
  const topicQuery = contentQuery(questions);
  const asked = new Set(own.map(({ query }) => kindOfQuestion(query)));
  // A comparison has no standard questions, because each compared thing has a heading.
  const open = compared === undefined ? TEMPLATES.filter((topic) => !asked.has(topic)) : [];
  const topics = [...open, "more" as const];
  return [
    ...own.map((part) => ({ ...part, topic: null })),
    ...topics.map((topic) => ({ heading: headings[topic], topic, query: topicQuery })),
  ].map((task, at) => ({ id: `t${at + 1}`, ...task }));
}
