import { useMemo, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { gradeOf, makeQuiz } from "#shared/quiz/quiz.ts";
import type { Given, Judgement, QuestionType, QuizQuestion } from "#shared/quiz/schema.ts";
import type { KeptAnswer, ModeProps } from "#webapp/study/study-mode.ts";
import { judgeWell } from "./judging.ts";

/** A question that was answered. */
export interface Asked {
  question: QuizQuestion;
  card: Flashcard;
  given: Given;
  judgement: Judgement;
  /** A model's name; null where words were compared. */
  judgedBy: string | null;
  isRight: boolean;
  kept: KeptAnswer;
}

type Cards = ReadonlyMap<string, Flashcard>;

interface Running {
  questions: readonly QuizQuestion[];
  at: number;
  asked: readonly Asked[];
  shownAt: number;
  /** The deck as it was: a card that is deleted meanwhile is still on the screen and is answered. */
  cards: Cards;
}

export interface Wish {
  cards: readonly Flashcard[];
  types: readonly QuestionType[];
  length: number;
}

export type Stage = "setup" | "asking" | "told" | "results";

/** A quiz from its first question to its result. The answers are kept one by one: whatever happens, none is lost. */
export function useQuiz({ cards, mayAsk, answer, replace }: ModeProps) {
  const [running, setRunning] = useState<Running | null>(null);
  const [isOver, setOver] = useState(false);
  const [isKeeping, setKeeping] = useState(false);
  const held = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards]);
  const { question, told, card } = currentOf(running, held);
  const isHeldBack = question !== undefined && !told && !mayAsk(question.cardId);

  const start = ({ cards: wanted, types, length }: Wish) => {
    const { questions } = makeQuiz({ cards: wanted, deck: cards, types, length, random: Math.random });
    setRunning({ questions, at: 0, asked: [], shownAt: performance.now(), cards: held });
    setOver(questions.length === 0);
  };
  const keepAs = (asked: Asked) => setRunning((now) => now && { ...now, asked: now.asked.toSpliced(now.at, 1, asked) });
  const give = async (given: Given) => {
    if (!running || !question || !card || told || isKeeping) return;
    setKeeping(true);
    const { judgedBy, ...judgement } = await judgeWell(question, card, given);
    const isRight = judgement.verdict === "right";
    const grade = gradeOf(question.type, isRight);
    const durationMs = performance.now() - running.shownAt;
    const kept = await answer({ cardId: question.cardId, grade, durationMs, mode: "quiz" });
    setKeeping(false);
    if (kept) keepAs({ question, card, given, judgement, judgedBy, isRight, kept });
  };
  /** The student knows better than the comparison of words. */
  const overrule = async (isRight: boolean) => {
    if (!told || isKeeping) return;
    setKeeping(true);
    const kept = await replace(told.kept, gradeOf(told.question.type, isRight));
    setKeeping(false);
    if (kept) keepAs({ ...told, isRight, kept });
  };
  const next = () => {
    if (!running || !told) return;
    if (running.at + 1 >= running.questions.length) return setOver(true);
    setRunning({ ...running, at: running.at + 1, shownAt: performance.now() });
  };
  const { asked, at, questions } = running ?? nothing;
  return {
    stage: stageOf({ isRunning: running !== null, isOver: isOver || isHeldBack, isTold: told !== undefined }),
    question,
    card,
    told,
    /** An answer is being judged and kept. */
    isKeeping,
    asked,
    at,
    total: questions.length,
    /** The plan allows no further card today. */
    isHeldBack,
    start,
    give,
    overrule,
    next,
    leaveResults: () => setRunning(null),
  };
}

const nothing = { asked: [], at: 0, questions: [] };

function currentOf(running: Running | null, held: Cards) {
  const question = running?.questions[running.at];
  if (!running || !question) return {};
  const { cardId } = question;
  return { question, told: running.asked[running.at], card: held.get(cardId) ?? running.cards.get(cardId) };
}

function stageOf({ isRunning, isOver, isTold }: { isRunning: boolean; isOver: boolean; isTold: boolean }): Stage {
  if (!isRunning) return "setup";
  if (isOver) return "results";
  return isTold ? "told" : "asking";
}
