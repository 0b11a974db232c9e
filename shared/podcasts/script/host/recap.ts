import { ASKS_TERM } from "./questions.ts";
import { tagSentence } from "#shared/text/tagging.ts";
import { isFinite } from "#shared/text/verbs.ts";
import { contentStems } from "#shared/text/words.ts";
import { toSpeech } from "../../speech/to-speech.ts";
import { type ChosenRun, readableHeading, type ScriptChapter } from "../choose.ts";
import { askToRemember, COMPLETION_LEADS, pick } from "./host-lines.ts";
import { FIRST_PERSON } from "../listenability.ts";
import { countTermWords, definitionQuestion, subjectOf } from "./subjects.ts";
import { namesTopic } from "../section-kinds.ts";
import type { ScriptSentence } from "../script-source.ts";
import type { Spellings } from "#shared/text/capitals.ts";

export const RECAP_QUESTIONS = 3;
/** With fewer sentences there is nothing to repeat. */
const MIN_SENTENCES = 6;

/** A question about something that was spoken, and the sentence that answers it. */
export interface RecapQuestion {
  asked: string;
  answer: ScriptSentence;
}

function questionAbout(answer: ScriptSentence, spellings: Spellings): string | undefined {
  const { question } = answer;
  return question?.kind === "card" ? question.text : definitionQuestion(answer.sentence, spellings);
}

/** A longer sentence is not read a second time, unless nothing else is left. */
const MAX_ANSWER_CHARS = 200;
const isBrief = ({ spoken }: ScriptSentence) => spoken.length <= MAX_ANSWER_CHARS;

const rankOf = ({ question }: ScriptSentence) => (question?.kind === "card" ? 0 : question ? 2 : 1);

/** Words after which a sentence can be cut, so that the listener completes it. */
const BEFORE_COMPLETION = /\b(?:is|are|was|were|of|by|to|with|for|as|into|from|than|called)\s/giu;
const MAX_OPEN_CHARS = 110;
const MIN_OPEN_WORDS = 5;
const MAX_END_WORDS = 6;
const MIN_END_STEMS = 2;

/** A sentence without its last words, for the listener to complete. */
function leaveOpen(sentence: string): string | undefined {
  if (FIRST_PERSON.test(sentence)) return undefined;
  const starts = [...sentence.matchAll(BEFORE_COMPLETION)].map(({ index, 0: opener }) => index + opener.length);
  const at = starts.findLast((start) => contentStems(sentence.slice(start)).length >= MIN_END_STEMS);
  if (at === undefined || countTermWords(sentence.slice(at)) > MAX_END_WORDS || at > MAX_OPEN_CHARS) return undefined;
  // "Depending on the climate, the use of": before its verb, a sentence can end in many ways.
  const tokens = tagSentence(sentence.slice(0, at));
  if (!tokens.some((_, index) => isFinite(tokens, index))) return undefined;
  return countTermWords(sentence.slice(0, at)) < MIN_OPEN_WORDS ? undefined : sentence.slice(0, at).trim();
}

interface ChapterQuestions {
  /** Questions of cards and of the source, and questions for a definition. */
  asked: RecapQuestion[];
  /** What the listener remembers about a heading, with the sentence that represents it best. */
  remembered: RecapQuestion[];
  /** Sentences for the listener to complete, used if an episode has too few questions. */
  open: RecapQuestion[];
}

const ask = (answer: ScriptSentence, asked: string | undefined): RecapQuestion[] =>
  asked === undefined || toSpeech(asked) === undefined ? [] : [{ asked, answer }];

/** The first sentence under a heading usually introduces it; another one is used only if the first is much worse. */
const FIRST_BONUS = 0.3;
const LONG_PENALTY = 1;
/** A sentence that says what its subject is, is worth more than another one about it. */
const DEFINITION_BONUS = 0.5;
/** "Inner product search has been widely used and studied.", "In fact, …": nothing to remember. */
const NOTHING_TO_REMEMBER =
  /\bha(?:s|ve) been (?:widely|extensively|well|much|often)\b|^(?:in fact|for (?:example|instance)|(?:the|an?) (?:second|third|fourth|last|next|other)|another)\b/iu;

/** The best sentence to remember; only one that names the topic, if there is one. */
function bestAnswer(chosen: readonly ChosenRun[], spellings: Spellings, topic?: string): ScriptSentence | undefined {
  const wanted = topic === undefined ? undefined : contentStems(topic);
  const namesIt = (sentence: string) =>
    wanted === undefined || contentStems(sentence).some((one) => wanted.includes(one));
  const opening = chosen[0]?.sentences[0];
  const first = opening && namesIt(opening.sentence) ? opening : undefined;
  const selfContained = chosen.flatMap(({ sentences }) =>
    sentences.filter(
      ({ isSelfContained, sentence }) => isSelfContained && !NOTHING_TO_REMEMBER.test(sentence) && namesIt(sentence),
    ),
  );
  const rate = (one: ScriptSentence) =>
    one.score +
    (one === first ? FIRST_BONUS : 0) +
    (definitionQuestion(one.sentence, spellings) === undefined ? 0 : DEFINITION_BONUS) -
    (isBrief(one) ? 0 : LONG_PENALTY);
  return selfContained.toSorted((one, other) => rate(other) - rate(one))[0] ?? first;
}

/**
 * What the listener is asked about: the heading, without its question if the sentence does not answer that, or what the
 * sentence is about if that is a part of it ("Sleep rebound" under "Sleep").
 */
function topicOf(heading: string, { sentence }: ScriptSentence, spellings: Spellings): string {
  const subject = subjectOf(sentence, spellings) ?? "";
  const [wanted, named] = [contentStems(heading), contentStems(subject)];
  if (named.length > wanted.length && wanted.every((stem) => named.includes(stem))) return subject;
  const term = ASKS_TERM.exec(heading)?.[1];
  return term === undefined || definitionQuestion(sentence, spellings) !== undefined ? heading : term;
}

function questionsOf({ parts, title }: ScriptChapter, index: number, spellings: Spellings): ChapterQuestions {
  const spoken = parts.flatMap(({ chosen }) => chosen.flatMap(({ sentences }) => sentences));
  const selfContained = spoken
    .filter((one) => one.isSelfContained && isBrief(one))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.score - a.score);
  const asked = selfContained.flatMap((answer) => ask(answer, questionAbout(answer, spellings)));
  const open = selfContained.flatMap((answer, at) => {
    const start = answer.question?.kind === "completion" ? answer.question.text : leaveOpen(answer.sentence);
    return ask(answer, start && `${pick(COMPLETION_LEADS, index + at)} ${start} …`);
  });
  const remembered = parts.flatMap(({ section, chosen }) => {
    const heading = readableHeading(section.title);
    const answer = bestAnswer(chosen, spellings);
    if (!answer) return [];
    // A listener does not know the numbers of chapters.
    const topic = [heading, title].find(namesTopic);
    const aboutTopic = topic === undefined ? undefined : bestAnswer(chosen, spellings, topic);
    if (topic !== undefined && aboutTopic) {
      return ask(aboutTopic, askToRemember(index, topicOf(topic, aboutTopic, spellings)));
    }
    const subject = subjectOf(answer.sentence, spellings);
    return subject === undefined ? [] : ask(answer, askToRemember(0, subject));
  });
  return { asked, remembered, open };
}

/** Takes one question of each chapter before a second one of any chapter. */
function interleave(byChapter: readonly RecapQuestion[][]): RecapQuestion[] {
  const longest = Math.max(0, ...byChapter.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => byChapter.flatMap((questions) => questions[round] ?? [])).flat();
}

/** Orders questions: the first, the last, the middle one, then the others. */
function orderFirstLastMiddle(questions: readonly RecapQuestion[]): RecapQuestion[] {
  const leading = [0, questions.length - 1, Math.floor(questions.length / 2)].flatMap((at) => questions[at] ?? []);
  return [...new Set([...leading, ...questions])];
}

/**
 * The questions of the recap, from all parts of the episode, in the order in which their answers were spoken: what a
 * term is, why something happens, or else what the listener remembers about a heading. No sentence and no question is
 * repeated.
 */
export function chooseRecap(
  chapters: readonly ScriptChapter[],
  spellings: Spellings,
  count = RECAP_QUESTIONS,
): RecapQuestion[] {
  const spoken = chapters.flatMap(({ parts }) => parts.flatMap(({ chosen }) => chosen.flatMap((one) => one.sentences)));
  if (spoken.length < MIN_SENTENCES) return [];
  const byChapter = chapters.map((chapter, index) => questionsOf(chapter, index, spellings));
  const ranked = [
    ...orderFirstLastMiddle(byChapter.flatMap(({ asked }) => asked.slice(0, 1))),
    ...orderFirstLastMiddle(
      byChapter.flatMap(({ asked, remembered }) => (asked.length > 0 ? [] : remembered.slice(0, 1))),
    ),
    ...interleave(byChapter.map(({ asked }) => asked)),
    ...interleave(byChapter.map(({ remembered }) => remembered)),
    ...interleave(byChapter.map(({ open }) => open)),
  ];
  const answers = new Set<string>();
  const questions = new Set<string>();
  const different = ranked.filter(({ answer, asked }) => {
    if (answers.has(answer.sentence) || questions.has(asked)) return false;
    answers.add(answer.sentence);
    questions.add(asked);
    return true;
  });
  const order = new Map(spoken.map(({ sentence }, index) => [sentence, index]));
  const positionOf = ({ answer }: RecapQuestion) => order.get(answer.sentence) ?? 0;
  return different.slice(0, count).toSorted((a, b) => positionOf(a) - positionOf(b));
}
