import { useMemo, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { gradeFor, makeQuiz } from "#shared/quiz/quiz.ts";
import type { QuizAnswer, Judgement, QuestionType, QuizQuestion } from "#shared/quiz/schema.ts";
import type { StoredReview, ModeProps } from "#webapp/study/study-mode.ts";
import { gradeAnswer } from "./grade-answer.ts";

export interface AnsweredQuestion {
  question: QuizQuestion;
  card: Flashcard;
  studentAnswer: QuizAnswer;
  judgement: Judgement;
  /** The model's name; null if graded locally. */
  judgedBy: string | null;
  isRight: boolean;
  review: StoredReview;
}

type Cards = ReadonlyMap<string, Flashcard>;

interface QuizRun {
  questions: readonly QuizQuestion[];
  index: number;
  answered: readonly AnsweredQuestion[];
  shownAt: number;
  /** The cards at the start of the quiz, so that a card that is deleted during the quiz can still be answered. */
  cards: Cards;
}

export interface QuizOptions {
  cards: readonly Flashcard[];
  types: readonly QuestionType[];
  length: number;
}

export type QuizStage = "setup" | "asking" | "answered" | "results";

/** The state of a quiz from setup to results. Each answer is stored immediately, so that no answer is lost. */
export function useQuiz({ cards, canStudy, recordReview, replaceReview }: ModeProps) {
  const [quizRun, setQuizRun] = useState<QuizRun | null>(null);
  const [isOver, setOver] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const cardsById = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards]);
  const { question, currentAnswer, card } = findCurrent(quizRun, cardsById);
  const isLimitReached = question !== undefined && !currentAnswer && !canStudy(question.cardId);

  const start = ({ cards: selectedCards, types, length }: QuizOptions) => {
    const { questions } = makeQuiz({ cards: selectedCards, deck: cards, types, length, random: Math.random });
    setQuizRun({ questions, index: 0, answered: [], shownAt: performance.now(), cards: cardsById });
    setOver(questions.length === 0);
  };
  const saveAnswer = (answered: AnsweredQuestion) =>
    setQuizRun((run) => run && { ...run, answered: run.answered.toSpliced(run.index, 1, answered) });
  const submitAnswer = async (studentAnswer: QuizAnswer) => {
    if (!quizRun || !question || !card || currentAnswer || isSaving) return;
    setSaving(true);
    const { judgedBy, ...judgement } = await gradeAnswer(question, card, studentAnswer);
    const isRight = judgement.verdict === "right";
    const grade = gradeFor(question.type, isRight);
    const durationMs = performance.now() - quizRun.shownAt;
    const review = await recordReview({ cardId: question.cardId, grade, durationMs, mode: "quiz" });
    setSaving(false);
    if (review) saveAnswer({ question, card, studentAnswer, judgement, judgedBy, isRight, review });
  };
  /** Replaces the grading with the student's own verdict. */
  const overrule = async (isRight: boolean) => {
    if (!currentAnswer || isSaving) return;
    setSaving(true);
    const review = await replaceReview(currentAnswer.review, gradeFor(currentAnswer.question.type, isRight));
    setSaving(false);
    if (review) saveAnswer({ ...currentAnswer, isRight, review });
  };
  const next = () => {
    if (!quizRun || !currentAnswer) return;
    if (quizRun.index + 1 >= quizRun.questions.length) return setOver(true);
    setQuizRun({ ...quizRun, index: quizRun.index + 1, shownAt: performance.now() });
  };
  const { answered, index, questions } = quizRun ?? noRun;
  return {
    stage: determineStage({
      isRunning: quizRun !== null,
      isOver: isOver || isLimitReached,
      isAnswered: currentAnswer !== undefined,
    }),
    question,
    card,
    currentAnswer,
    /** Whether an answer is being graded and stored. */
    isSaving,
    answered,
    index,
    total: questions.length,
    /** Whether the plan's daily limit is reached. */
    isLimitReached,
    start,
    submitAnswer,
    overrule,
    next,
    leaveResults: () => setQuizRun(null),
  };
}

const noRun = { answered: [], index: 0, questions: [] };

function findCurrent(quizRun: QuizRun | null, cardsById: Cards) {
  const question = quizRun?.questions[quizRun.index];
  if (!quizRun || !question) return {};
  const { cardId } = question;
  return {
    question,
    currentAnswer: quizRun.answered[quizRun.index],
    card: cardsById.get(cardId) ?? quizRun.cards.get(cardId),
  };
}

function determineStage({
  isRunning,
  isOver,
  isAnswered,
}: {
  isRunning: boolean;
  isOver: boolean;
  isAnswered: boolean;
}): QuizStage {
  if (!isRunning) return "setup";
  if (isOver) return "results";
  return isAnswered ? "answered" : "asking";
}
