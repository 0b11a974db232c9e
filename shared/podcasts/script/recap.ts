import { contentStems } from "#shared/text/words.ts";
import { cardinal } from "../speech/numbers.ts";
import { toSpeech } from "../speech/to-speech.ts";
import { readableHeading, type ScriptChapter } from "./choose.ts";
import { FINISH_LEADS, nameTopic, pick, REMEMBER_LEADS } from "./host-lines.ts";
import { SAYS_LITTLE } from "./questions.ts";
import type { ScriptSentence } from "./script-source.ts";
import type { Spellings } from "#shared/text/capitals.ts";

const QUESTIONS = 3;
/** After fewer sentences there is nothing to repeat yet. */
const MIN_SENTENCES = 6;

/** A question on what was spoken, and the sentence that answers it. */
export interface RecapQuestion {
  asked: string;
  answer: ScriptSentence;
}

/** "A granum is a stack of thylakoids.": what it defines. */
const DEFINES =
  /^(?:an?\s|the\s)?((?!there\b|it\b)[\p{L}’'-]{3,}(?:\s(?!is\b|are\b)[\p{L}’'-]+){0,3})\s(is|are)\s(?:an?|the|those|any)\s/iu;

function definitionQuestion({ sentence }: ScriptSentence, spellings: Spellings): string | undefined {
  const { 1: term, 2: verb } = DEFINES.exec(sentence) ?? [];
  if (term === undefined || verb === undefined) return undefined;
  // "Although there is …": not every word of it names something.
  if (contentStems(term).length < countWords(term)) return undefined;
  if (SAYS_LITTLE.test(sentence)) return undefined;
  const named = /^(?:an?|the)\s/iu.exec(sentence)?.[0].toLowerCase() ?? "";
  const first = /^\p{L}+/u.exec(term)?.[0] ?? "";
  const spelled = spellings.get(first.toLowerCase()) ?? first;
  return `What ${verb.toLowerCase()} ${named}${named === "" ? spelled + term.slice(first.length) : term}?`;
}

function questionAbout(answer: ScriptSentence, spellings: Spellings): string | undefined {
  const { question } = answer;
  if (question?.kind === "question") return question.text;
  if (question?.kind === "finish") return `${pick(FINISH_LEADS, question.text.length)} ${question.text} …`;
  return definitionQuestion(answer, spellings);
}

const rankOf = ({ question }: ScriptSentence) => (question?.kind === "question" ? 0 : question ? 2 : 1);

/** After one of these words a sentence can be left open. */
const OPENERS = /\b(?:is|are|was|were|of|by|to|with|for|as|into|from|than|called)\s/giu;
const MAX_OPEN_CHARS = 110;
const MIN_OPEN_WORDS = 5;
const MAX_END_WORDS = 6;
const MIN_END_STEMS = 2;

const countWords = (text: string) => text.trim().split(/\s+/u).length;

/** A sentence without its last words. */
function leaveOpen(sentence: string): string | undefined {
  const starts = [...sentence.matchAll(OPENERS)].map(({ index, 0: opener }) => index + opener.length);
  const at = starts.findLast((start) => contentStems(sentence.slice(start)).length >= MIN_END_STEMS);
  if (at === undefined || countWords(sentence.slice(at)) > MAX_END_WORDS || at > MAX_OPEN_CHARS) return undefined;
  return countWords(sentence.slice(0, at)) < MIN_OPEN_WORDS ? undefined : sentence.slice(0, at).trim();
}

interface ChapterQuestions {
  /** On what stands first under each heading. */
  main: RecapQuestion[];
  asked: RecapQuestion[];
  /** Sentences to be finished, for an episode with too few questions. */
  open: RecapQuestion[];
  /** On what stands first in other paragraphs. */
  others: RecapQuestion[];
}

const ask = (answer: ScriptSentence, asked: string | undefined): RecapQuestion[] =>
  asked === undefined || toSpeech(asked) === undefined ? [] : [{ asked, answer }];

function questionsOf({ parts, title }: ScriptChapter, index: number, spellings: Spellings): ChapterQuestions {
  const spoken = parts.flatMap(({ chosen }) => chosen.flatMap(({ sentences }) => sentences));
  const alone = spoken.filter(({ isAlone }) => isAlone).toSorted((a, b) => rankOf(a) - rankOf(b) || b.score - a.score);
  const asked = alone.flatMap((answer) => ask(answer, questionAbout(answer, spellings)));
  const open = alone.flatMap((answer, at) => {
    const start = leaveOpen(answer.sentence);
    return ask(answer, start && `${pick(FINISH_LEADS, index + at)} ${start} …`);
  });
  const named = title === "" ? `chapter ${cardinal(String(index + 1))}` : title;
  const remember = ({ section, chosen }: ScriptChapter["parts"][number], from: number, to?: number) =>
    chosen.slice(from, to).flatMap(({ sentences: [answer] }, at) => {
      const topic = readableHeading(section.title) || named;
      const question = answer && questionAbout(answer, spellings);
      return answer ? ask(answer, question ?? nameTopic(pick(REMEMBER_LEADS, index + from + at), topic)) : [];
    });
  return {
    main: parts.flatMap((part) => remember(part, 0, 1)),
    asked,
    open,
    others: parts.flatMap((part) => remember(part, 1)),
  };
}

/** One of each chapter before a second of any. */
function takeTurns(byChapter: readonly RecapQuestion[][]): RecapQuestion[] {
  const longest = Math.max(0, ...byChapter.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => byChapter.flatMap((questions) => questions[round] ?? [])).flat();
}

/**
 * What the host asks at the end: what each chapter began with, from all parts of the episode, in the order in which it
 * was heard, no sentence twice.
 */
export function chooseRecap(chapters: readonly ScriptChapter[], spellings: Spellings): RecapQuestion[] {
  const spoken = chapters.flatMap(({ parts }) => parts.flatMap(({ chosen }) => chosen.flatMap((one) => one.sentences)));
  if (spoken.length < MIN_SENTENCES) return [];
  const byChapter = chapters.map((chapter, index) => questionsOf(chapter, index, spellings));
  const ranked = [
    ...takeTurns(byChapter.map(({ main }) => main)),
    ...takeTurns(byChapter.map(({ asked }) => asked)),
    ...takeTurns(byChapter.map(({ open }) => open)),
    ...takeTurns(byChapter.map(({ others }) => others)),
  ];
  const answers = new Set<string>();
  const different = ranked.filter(({ answer }) => !answers.has(answer.sentence) && answers.add(answer.sentence));
  const withQuestions = byChapter.filter(({ main }) => main.length > 0).length;
  const first = different.slice(0, Math.max(QUESTIONS, withQuestions));
  const step = (first.length - 1) / (QUESTIONS - 1);
  const spread = first.length <= QUESTIONS ? first : [0, 1, 2].flatMap((part) => first[Math.round(part * step)] ?? []);
  const order = new Map(spoken.map(({ sentence }, index) => [sentence, index]));
  const positionOf = ({ answer }: RecapQuestion) => order.get(answer.sentence) ?? 0;
  return spread.toSorted((a, b) => positionOf(a) - positionOf(b));
}
