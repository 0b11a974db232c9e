import { t } from "#shared/messages/translate.ts";
import { StudyFrame } from "#webapp/study/study-frame.tsx";
import type { ModeProps } from "#webapp/study/study-mode.ts";
import { useModeKeys } from "#webapp/study/use-mode-keys.ts";
import { useReadAloud } from "#webapp/study/read-aloud.ts";
import { QuizFeedback } from "./parts/quiz-feedback.tsx";
import { QuizQuestionView } from "./parts/quiz-question.tsx";
import { QuizResults } from "./parts/quiz-results.tsx";
import { QuizSetup } from "./parts/quiz-setup.tsx";
import { useQuiz } from "./use-quiz.ts";
import "./quiz-view.css";

/** A quiz on the cards of a deck, with the question types the student chose. */
export function QuizView(props: ModeProps) {
  const { deck, bar, leave } = props;
  const asking = useQuiz(props);
  const { stage, told, at, total } = asking;
  useModeKeys({ Escape: leave });
  useReadAloud(saidOf(asking));
  const isRunning = stage === "asking" || stage === "told";
  const progress = { value: told ? at + 1 : at, max: total, words: t("study.position", { at: at + 1, total }) };
  return (
    <StudyFrame deck={deck} bar={bar} onLeave={leave} progress={isRunning ? progress : undefined}>
      <StageView {...props} quiz={asking} />
    </StudyFrame>
  );
}

type Quiz = ReturnType<typeof useQuiz>;

function saidOf({ stage, card, told }: Quiz): string | undefined {
  return stage === "asking" ? card?.question : stage === "told" ? told?.card.answer : undefined;
}

function StageView({ quiz: asking, ...props }: ModeProps & { quiz: Quiz }) {
  const { stage, question, card, told, at, total } = asking;
  if (stage === "setup") return <QuizSetup {...props} onStart={asking.start} />;
  if (stage === "results") return <QuizResults {...props} quiz={asking} />;
  if (told)
    return (
      <QuizFeedback
        key={at}
        asked={told}
        sources={props.deck.sources}
        toGo={told.kept.after.rightAnswersToGo}
        isLast={at + 1 === total}
        onOverrule={asking.overrule}
        onNext={asking.next}
      />
    );
  if (!question || !card) return null;
  return (
    <QuizQuestionView key={at} question={question} card={card} isJudging={asking.isKeeping} onGiven={asking.give} />
  );
}
