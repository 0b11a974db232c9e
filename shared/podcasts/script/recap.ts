import { contentStems } from "#shared/text/words.ts";
import { cardinal } from "../speech/numbers.ts";
import { toSpeech } from "../speech/to-speech.ts";
import type { ScriptChapter } from "./choose.ts";
import { FINISH_LEADS, nameTopic, pick, REMEMBER_LEADS } from "./host-lines.ts";
import { SAYS_LITTLE } from "./questions.ts";
import type { ScriptSentence } from "./script-source.ts";

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

function definitionQuestion({ sentence }: ScriptSentence): string | undefined {
  const { 1: term, 2: verb } = DEFINES.exec(sentence) ?? [];
  if (term === undefined || verb === undefined) return undefined;
  // "Although there is …": not every word of it names something.
  if (contentStems(term).length < countWords(term)) return undefined;
  if (SAYS_LITTLE.test(sentence)) return undefined;
  const named = /^(?:an?|the)\s/iu.exec(sentence)?.[0].toLowerCase() ?? "";
  return `What ${verb.toLowerCase()} ${named}${named === "" && !/\p{Lu}/u.test(term.slice(1)) ? term.charAt(0).toLowerCase() + term.slice(1) : term}?`;
}

function questionAbout(answer: ScriptSentence): string | undefined {
  const { question } = answer;
  if (question?.kind === "question") return question.text;
  if (question?.kind === "finish") return `${pick(FINISH_LEADS, question.text.length)} ${question.text} …`;
  return definitionQuestion(answer);
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
  asked: RecapQuestion[];
  /** Sentences to be finished, for an episode with too few questions. */
  open: RecapQuestion[];
  /** What is left for a chapter without either. */
  remembered: RecapQuestion[];
}

const ask = (answer: ScriptSentence, asked: string | undefined): RecapQuestion[] =>
  asked === undefined || toSpeech(asked) === undefined ? [] : [{ asked, answer }];

function questionsOf({ parts, title }: ScriptChapter, index: number): ChapterQuestions {
  const spoken = parts.flatMap(({ chosen }) => chosen.flatMap(({ sentences }) => sentences));
  const alone = spoken.filter(({ isAlone }) => isAlone).toSorted((a, b) => rankOf(a) - rankOf(b) || b.score - a.score);
  const asked = alone.flatMap((answer) => ask(answer, questionAbout(answer)));
  const open = alone.flatMap((answer, at) => {
    const start = leaveOpen(answer.sentence);
    return ask(answer, start && `${pick(FINISH_LEADS, index + at)} ${start} …`);
  });
  const chapter = `chapter ${cardinal(String(index + 1))}`;
  const remembered = alone
    .slice(0, QUESTIONS)
    .flatMap((answer, at) => ask(answer, nameTopic(pick(REMEMBER_LEADS, index + at), title === "" ? chapter : title)));
  return { asked, open, remembered };
}

/** One of each chapter before a second of any. */
function takeTurns(byChapter: readonly RecapQuestion[][]): RecapQuestion[] {
  const longest = Math.max(0, ...byChapter.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => byChapter.flatMap((questions) => questions[round] ?? [])).flat();
}

/** What the host asks at the end: from all parts of the episode, in the order in which it was heard, no sentence twice. */
export function chooseRecap(chapters: readonly ScriptChapter[]): RecapQuestion[] {
  const spoken = chapters.flatMap(({ parts }) => parts.flatMap(({ chosen }) => chosen.flatMap((one) => one.sentences)));
  if (spoken.length < MIN_SENTENCES) return [];
  const byChapter = chapters.map(questionsOf);
  const ranked = [
    ...takeTurns(byChapter.map(({ asked }) => asked)),
    ...takeTurns(byChapter.map(({ open }) => open)),
    ...takeTurns(byChapter.map(({ remembered }) => remembered)),
  ];
  const answers = new Set<string>();
  const different = ranked.filter(({ answer }) => !answers.has(answer.sentence) && answers.add(answer.sentence));
  const withQuestions = byChapter.filter(({ asked }) => asked.length > 0).length;
  const first = different.slice(0, Math.max(QUESTIONS, withQuestions));
  const step = (first.length - 1) / (QUESTIONS - 1);
  const spread = first.length <= QUESTIONS ? first : [0, 1, 2].flatMap((part) => first[Math.round(part * step)] ?? []);
  const order = new Map(spoken.map(({ sentence }, index) => [sentence, index]));
  const positionOf = ({ answer }: RecapQuestion) => order.get(answer.sentence) ?? 0;
  return spread.toSorted((a, b) => positionOf(a) - positionOf(b));
}
