import { useLayoutEffect, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { t } from "#shared/messages/translate.ts";
import type { QuizAnswer, QuizQuestion, AnswerOption } from "#shared/quiz/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { KeyHint } from "#shared/ui/kbd.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { CardImage, CardText } from "#webapp/flashcards/card-text.tsx";
import { QuestionPicture } from "#webapp/flashcards/question-picture.tsx";
import { useModeKeys } from "#webapp/study/use-mode-keys.ts";

interface Props {
  question: QuizQuestion;
  card: Flashcard;
  isJudging: boolean;
  onAnswer: (given: QuizAnswer) => unknown;
}

/** A question with its answer controls. */
export function QuizQuestionView({ question, card, isJudging, onAnswer }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isTyped = question.type === "short_response" || question.type === "fill_in_the_blank";
  // Focuses the heading, so that screen readers read the question. A question with a text field focuses the field
  // instead.
  useLayoutEffect(() => {
    if (!isTyped) heading.current?.focus({ preventScroll: true });
  }, [isTyped]);
  const isBlankInQuestion = question.type === "fill_in_the_blank" && !question.inAnswer;
  return (
    <article className="study-card quiz-card">
      <SectionLine card={isBlankInQuestion ? { ...card, answer: question.hidden } : card} />
      <h1 ref={heading} tabIndex={-1} className="study-question" dir="auto">
        {isBlankInQuestion ? (
          <BlankedText question={question} picture={card} />
        ) : (
          <CardSide card={card} side="question" />
        )}
      </h1>
      {question.type === "multiple_choice" && <Options options={question.options} onAnswer={onAnswer} />}
      {question.type === "true_false" && <TrueFalse shown={question.shown} onAnswer={onAnswer} />}
      {question.type === "fill_in_the_blank" && question.inAnswer && (
        <p className="study-answer" dir="auto">
          <BlankedText question={question} picture={null} />
        </p>
      )}
      {isTyped && (
        <TypedAnswer
          label={t(question.type === "fill_in_the_blank" ? "quiz.fill" : "quiz.answer")}
          isJudging={isJudging}
          onAnswer={onAnswer}
        />
      )}
    </article>
  );
}

interface BlankedTextProps {
  question: Extract<QuizQuestion, { type: "fill_in_the_blank" }>;
  /** The card whose picture is shown with the text. */
  picture: Flashcard | null;
}

/** The text before the blank, without the section, because the section is shown above. */
function textBefore({ before, hidden }: BlankedTextProps["question"], card: Flashcard | null): string {
  const sectionLength = card ? card.question.length - splitSectionLine({ ...card, answer: hidden }).question.length : 0;
  return sectionLength <= before.length ? before.slice(sectionLength) : before;
}

function BlankedText({ question, picture }: BlankedTextProps) {
  return (
    <>
      <CardText text={`${textBefore(question, picture)}____${question.after}`} />
      {picture && <QuestionPicture card={picture} isRevealed={false} />}
    </>
  );
}

function ShownAnswer({ shown }: { shown: AnswerOption }) {
  return (
    <>
      <CardText text={shown.text} />
      <CardImage address={shown.image} />
    </>
  );
}

function Options({ options, onAnswer }: { options: readonly AnswerOption[]; onAnswer: Props["onAnswer"] }) {
  useModeKeys(Object.fromEntries(options.map((_, index) => [String(index + 1), () => onAnswer({ option: index })])));
  return (
    <div className="quiz-options" role="group" aria-label={t("quiz.choose")}>
      {options.map((option, index) => (
        <button
          key={`${option.text}:${option.image}`}
          type="button"
          className="quiz-option"
          aria-keyshortcuts={String(index + 1)}
          onClick={() => onAnswer({ option: index })}
        >
          <KeyHint>{String(index + 1)}</KeyHint>
          <span className="quiz-option-words" dir="auto">
            <ShownAnswer shown={option} />
          </span>
        </button>
      ))}
    </div>
  );
}

function TrueFalse({ shown, onAnswer }: { shown: AnswerOption; onAnswer: Props["onAnswer"] }) {
  const answerWith = (isTrue: boolean) => () => onAnswer({ isTrue });
  useModeKeys({ "1": answerWith(true), t: answerWith(true), "2": answerWith(false), f: answerWith(false) });
  return (
    <>
      <div className="study-answer quiz-statement" dir="auto">
        <ShownAnswer shown={shown} />
      </div>
      <div className="quiz-truth" role="group" aria-label={t("quiz.is_it_true")}>
        <button type="button" className="quiz-option" aria-keyshortcuts="1 T" onClick={answerWith(true)}>
          <KeyHint>1</KeyHint>
          {t("quiz.true")}
        </button>
        <button type="button" className="quiz-option" aria-keyshortcuts="2 F" onClick={answerWith(false)}>
          <KeyHint>2</KeyHint>
          {t("quiz.false")}
        </button>
      </div>
    </>
  );
}

const MAX_TYPED = 2000;

function TypedAnswer({ label, isJudging, onAnswer }: { label: string } & Pick<Props, "isJudging" | "onAnswer">) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <form
      className="quiz-typed"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onAnswer({ text });
      }}
    >
      <TextField
        ref={field}
        label={label}
        dir="auto"
        value={text}
        maxLength={MAX_TYPED}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="quiz-typed-actions">
        <Button variant="quiet" onClick={() => onAnswer(null)}>
          {t("quiz.dont_know")}
        </Button>
        <Button type="submit" variant="primary" pending={isJudging} disabled={text.trim() === ""}>
          {t(isJudging ? "quiz.checking" : "quiz.check")}
        </Button>
      </div>
    </form>
  );
}
