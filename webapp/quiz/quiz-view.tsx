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

/** A quiz on the cards of a deck, with the question types that the student chose. */
export function QuizView(props: ModeProps) {
  const { deck, modeBar, leave } = props;
  const quiz = useQuiz(props);
  const { stage, currentAnswer, index, total } = quiz;
  useModeKeys({ Escape: leave });
  useReadAloud(getSpokenText(quiz));
  const isRunning = stage === "asking" || stage === "answered";
  const progress = {
    value: currentAnswer ? index + 1 : index,
    max: total,
    valueText: t("study.position", { at: index + 1, total }),
  };
  return (
    <StudyFrame deck={deck} modeBar={modeBar} onLeave={leave} progress={isRunning ? progress : undefined}>
      <QuizStageView {...props} quiz={quiz} />
    </StudyFrame>
  );
}

type Quiz = ReturnType<typeof useQuiz>;

function getSpokenText({ stage, card, currentAnswer }: Quiz): string | undefined {
  return stage === "asking" ? card?.question : stage === "answered" ? currentAnswer?.card.answer : undefined;
}

function QuizStageView({ quiz, ...props }: ModeProps & { quiz: Quiz }) {
  const { stage, question, card, currentAnswer, index, total } = quiz;
  if (stage === "setup") return <QuizSetup {...props} onStart={quiz.start} />;
  if (stage === "results") return <QuizResults {...props} quiz={quiz} />;
  if (currentAnswer)
    return (
      <QuizFeedback
        key={index}
        answered={currentAnswer}
        sources={props.deck.sources}
        remainingCorrect={currentAnswer.review.after.rightAnswersToGo}
        isLast={index + 1 === total}
        onOverrule={quiz.overrule}
        onNext={quiz.next}
      />
    );
  if (!question || !card) return null;
  return (
    <QuizQuestionView
      key={index}
      question={question}
      card={card}
      isJudging={quiz.isSaving}
      onAnswer={quiz.submitAnswer}
    />
  );
}
