import { Check, X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { CardSource } from "#webapp/flashcards/card-source.tsx";
import { useModeKeys } from "#webapp/study/use-mode-keys.ts";
import { saidBy } from "../said.ts";
import type { Asked } from "../use-quiz.ts";

interface Props {
  asked: Asked;
  sources: ReadonlyMap<string, string>;
  /** Correct answers in a row until the card is no longer hard. */
  toGo: number;
  isLast: boolean;
  onOverrule: (isRight: boolean) => unknown;
  onNext: () => void;
}

/** The verdict, the correct answer and its source. */
export function QuizFeedback({ asked, sources, toGo, isLast, onOverrule, onNext }: Props) {
  const { card, given, isRight, question } = asked;
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => next.current?.focus({ preventScroll: true }), []);
  useModeKeys({ Enter: onNext, " ": onNext, ArrowRight: onNext });
  const isTyped = given !== null && "text" in given;
  const said = saidBy(given, question);
  return (
    <article className="study-card quiz-card">
      <h1 className="quiz-asked" dir="auto">
        <CardSide card={card} side="question" />
      </h1>
      <div className="quiz-told" role="status">
        <Verdict asked={asked} />
        {question.type === "short_response" && given !== null && (
          <p className="quiz-term">
            {asked.judgedBy === null ? t("quiz.by_words") : t("quiz.by_model", { model: asked.judgedBy })}
          </p>
        )}
        <HardLine asked={asked} toGo={toGo} />
      </div>
      {!isRight && (
        <p className="quiz-said">
          <span className="quiz-term">{t("quiz.you_said")}</span> {said || t("quiz.nothing_said")}
        </p>
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

function Verdict({ asked }: { asked: Asked }) {
  const { isRight, judgement } = asked;
  const isPartly = !isRight && judgement.verdict === "partly";
  const missing = isPartly ? judgement.missing.slice(0, 8).join(", ") : "";
  return (
    <p className={isRight ? "quiz-verdict quiz-right" : "quiz-verdict quiz-wrong"}>
      {isRight ? <Check aria-hidden size={20} /> : <X aria-hidden size={20} />}
      <strong>{t(isRight ? "quiz.right" : isPartly ? "quiz.partly" : "quiz.wrong")}</strong>
      {isPartly && missing === "" && asked.judgedBy === null && <span>{t("quiz.other_order")}</span>}
      {missing !== "" && <span>{t("quiz.missing_words", { words: missing })}</span>}
    </p>
  );
}

/** A hard card needs three correct answers in a row: shows the progress. */
function HardLine({ asked, toGo }: { asked: Asked; toGo: number }) {
  const wasHard = (asked.kept.before?.rightAnswersToGo ?? 0) > 0;
  if (asked.isRight && toGo > 0) return <p className="quiz-note">{t("quiz.hard_on", { count: toGo })}</p>;
  return asked.isRight && wasHard ? <p className="quiz-note">{t("quiz.hard_over")}</p> : null;
}
