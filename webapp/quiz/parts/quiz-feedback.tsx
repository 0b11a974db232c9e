import { Check, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { CardSource } from "#webapp/flashcards/card-source.tsx";
import { useModeKeys } from "#webapp/study/use-mode-keys.ts";
import { formatStudentAnswer } from "../format-answer.ts";
import type { AnsweredQuestion } from "../use-quiz.ts";

interface Props {
  answered: AnsweredQuestion;
  sources: ReadonlyMap<string, string>;
  /** How many more correct answers in a row the card needs until it is no longer hard. */
  remainingCorrect: number;
  isLast: boolean;
  onOverrule: (isRight: boolean) => unknown;
  onNext: () => void;
}

/** The verdict, the correct answer and its source. */
export function QuizFeedback({ answered, sources, remainingCorrect, isLast, onOverrule, onNext }: Props) {
  const { card, studentAnswer, isRight, question } = answered;
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => next.current?.focus({ preventScroll: true }), []);
  useModeKeys({ Enter: onNext, " ": onNext, ArrowRight: onNext });
  const isTyped = studentAnswer !== null && "text" in studentAnswer;
  const answerText = formatStudentAnswer(studentAnswer, question);
  return (
    <article className="study-card quiz-card">
      <SectionLine card={card} />
      <h1 className="quiz-card-question" dir="auto">
        <CardSide card={card} side="question" />
      </h1>
      <div className="quiz-feedback" role="status">
        <Verdict answered={answered} />
        {question.type === "short_response" && studentAnswer !== null && (
          <p className="quiz-term">
            {answered.judgedBy === null ? t("quiz.by_words") : t("quiz.by_model", { model: answered.judgedBy })}
          </p>
        )}
        <HardLine answered={answered} remainingCorrect={remainingCorrect} />
      </div>
      {!isRight && (
        <p className="quiz-student-answer">{t("quiz.you_answered", { answer: answerText || t("quiz.no_answer") })}</p>
      )}
      <div>
        <p className="quiz-term">{t("quiz.the_answer")}</p>
        <div className="study-answer" dir="auto">
          <CardSide card={card} side="answer" />
        </div>
      </div>
      <CardSource citation={card.citation} sources={sources} showsQuote={isTyped || !isRight} />
      <div className="quiz-next">
        {isTyped && (
          <Button variant="quiet" onClick={() => onOverrule(!isRight)}>
            {t(isRight ? "quiz.count_wrong" : "quiz.count_right")}
          </Button>
        )}
        <Button ref={next} variant="primary" size="l" onClick={onNext}>
          {t(isLast ? "quiz.see_results" : "quiz.next")}
        </Button>
      </div>
    </article>
  );
}

function Verdict({ answered }: { answered: AnsweredQuestion }) {
  const { isRight, judgement } = answered;
  const isPartly = !isRight && judgement.verdict === "partly";
  const missing = isPartly ? judgement.missing.slice(0, 8).join(", ") : "";
  return (
    <p className={isRight ? "quiz-verdict quiz-right" : "quiz-verdict quiz-wrong"}>
      {isRight ? <Check aria-hidden size={20} /> : <X aria-hidden size={20} />}
      <strong>{t(isRight ? "quiz.right" : isPartly ? "quiz.partly" : "quiz.wrong")}</strong>
      {isPartly && missing === "" && answered.judgedBy === null && <span>{t("quiz.other_order")}</span>}
      {missing !== "" && <span>{t("quiz.missing_words", { words: missing })}</span>}
    </p>
  );
}

/** Shows the progress of a hard card, which needs three correct answers in a row. */
function HardLine({ answered, remainingCorrect }: { answered: AnsweredQuestion; remainingCorrect: number }) {
  const wasHard = (answered.review.before?.rightAnswersToGo ?? 0) > 0;
  if (answered.isRight && remainingCorrect > 0)
    return <p className="quiz-note">{t("quiz.hard_remaining", { count: remainingCorrect })}</p>;
  return answered.isRight && wasHard ? <p className="quiz-note">{t("quiz.hard_over")}</p> : null;
}
