import { Check, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { CardSource } from "#webapp/flashcards/card-source.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { CardText } from "#webapp/flashcards/card-text.tsx";
import type { ModeProps } from "#webapp/study/study-mode.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatStudentAnswer } from "../format-answer.ts";
import type { AnsweredQuestion, useQuiz } from "../use-quiz.ts";

interface Props extends ModeProps {
  quiz: ReturnType<typeof useQuiz>;
}

/** The score, the results by question, and buttons to continue. */
export function QuizResults({ quiz, deck, dailyLimit }: Props) {
  const { answered: answeredList, isLimitReached, start, leaveResults } = quiz;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const now = useNow();
  const right = answeredList.filter((answered) => answered.isRight);
  const missed = answeredList.filter((answered) => !answered.isRight);
  const score =
    answeredList.length === 0
      ? t("quiz.no_questions_title")
      : t("quiz.score", { right: right.length, total: answeredList.length });
  const retry = () =>
    start({
      cards: missed.map((answered) => answered.card),
      types: [...new Set(missed.map((answered) => answered.question.type))],
      length: missed.length,
    });
  return (
    <section className="quiz-results">
      <div className="quiz-outcome">
        <h1 ref={heading} tabIndex={-1} className="study-end-title">
          {isLimitReached ? t("study.limit_title") : score}
        </h1>
        {isLimitReached && <p>{t("study.limit_text", { count: dailyLimit ?? 0, reset: formatTimeToReset(now) })}</p>}
        {isLimitReached && answeredList.length > 0 && <p>{score}</p>}
        <Strip answers={answeredList} />
      </div>
      <div className="quiz-actions">
        {missed.length > 0 && (
          <Button variant="primary" size="l" onClick={retry}>
            {t("quiz.retry", { count: missed.length })}
          </Button>
        )}
        <Button size="l" variant={missed.length > 0 ? "secondary" : "primary"} onClick={leaveResults}>
          {t("quiz.again")}
        </Button>
        <InnerLink
          className="button button-quiet button-l"
          to={screenPath("deck", { id: deck.pageId, slug: deck.componentId })}
        >
          {t("quiz.to_deck")}
        </InnerLink>
      </div>
      {missed.length > 0 && (
        <section className="quiz-missed">
          <h2>{t("quiz.missed")}</h2>
          <Rows label={t("quiz.missed")} answers={missed} sources={deck.sources} />
        </section>
      )}
      {right.length > 0 && (
        <details className="quiz-correct">
          <summary>{t("quiz.correct", { count: right.length })}</summary>
          <Rows label={t("quiz.correct", { count: right.length })} answers={right} sources={deck.sources} />
        </details>
      )}
    </section>
  );
}

/**
 * One bar for each answer, in the order of the questions. It is hidden from screen readers, because the lists below
 * have the same content.
 */
function Strip({ answers }: { answers: readonly AnsweredQuestion[] }) {
  return (
    <div className="quiz-strip" aria-hidden>
      {answers.map(({ card, isRight }) => (
        <span key={card.id} data-right={isRight} />
      ))}
    </div>
  );
}

interface RowsProps {
  label: string;
  answers: readonly AnsweredQuestion[];
  sources: ReadonlyMap<string, string>;
}

function Rows({ label, answers, sources }: RowsProps) {
  return (
    <ol role="list" className="quiz-list" aria-label={label}>
      {answers.map((answered) => (
        <Row key={answered.card.id} answered={answered} sources={sources} />
      ))}
    </ol>
  );
}

function Row({ answered, sources }: Pick<RowsProps, "sources"> & { answered: AnsweredQuestion }) {
  const { card, studentAnswer, question, isRight } = answered;
  return (
    <li className="quiz-row">
      <span className={isRight ? "quiz-right" : "quiz-wrong"}>
        {isRight ? <Check aria-hidden size={18} /> : <X aria-hidden size={18} />}
        <span className="visually-hidden">{t(isRight ? "quiz.right" : "quiz.wrong")}</span>
      </span>
      <span className="quiz-row-question">
        <SectionLine card={card} />
        {card.question.trim() === "" ? t("quiz.picture") : <CardText text={splitSectionLine(card).question} />}
      </span>
      <span className="quiz-row-answer">
        {card.answer.trim() === "" ? t("quiz.picture") : <CardText text={card.answer} />}
      </span>
      {!isRight && (
        <span className="quiz-row-student-answer">
          {t("quiz.you_answered", { answer: formatStudentAnswer(studentAnswer, question) || t("quiz.no_answer") })}
        </span>
      )}
      <CardSource citation={card.citation} sources={sources} />
    </li>
  );
}
