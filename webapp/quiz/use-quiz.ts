import { useMemo, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { gradeOf, makeQuiz } from "#shared/quiz/quiz.ts";
import type { Given, Judgement, QuestionType, QuizQuestion } from "#shared/quiz/schema.ts";
import type { KeptAnswer, ModeProps } from "#webapp/study/study-mode.ts";
import { judgeWell } from "./judging.ts";

/** An answered question. */
export interface Asked {
  question: QuizQuestion;
  card: Flashcard;
  given: Given;
  judgement: Judgement;
  /** The model's name; null if graded locally. */
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
  /** The deck at the start: a card deleted meanwhile can still be answered. */
  cards: Cards;
}

export interface Wish {
  cards: readonly Flashcard[];
  types: readonly QuestionType[];
  length: number;
}

export type Stage = "setup" | "asking" | "told" | "results";

/** The state of a quiz from start to results. Each answer is stored immediately, so none is lost. */
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
  /** The student can override the grading. */
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
    /** An answer is being graded and stored. */
    isKeeping,
    asked,
    at,
    total: questions.length,
    /** The plan's daily limit is reached. */
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
