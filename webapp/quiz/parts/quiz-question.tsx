import { useLayoutEffect, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import type { Given, QuizQuestion, Shown } from "#shared/quiz/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { CardImage, CardText } from "#webapp/flashcards/card-text.tsx";
import { QuestionPicture } from "#webapp/flashcards/question-picture.tsx";
import { useModeKeys } from "#webapp/study/use-mode-keys.ts";

interface Props {
  question: QuizQuestion;
  card: Flashcard;
  isJudging: boolean;
  onGiven: (given: Given) => unknown;
}

/** A question with its answer controls. */
export function QuizQuestionView({ question, card, isJudging, onGiven }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isTyped = question.type === "short_response" || question.type === "fill_in_the_blank";
  // Focus the heading, so that it is read out; text questions focus the field instead.
  useLayoutEffect(() => {
    if (!isTyped) heading.current?.focus({ preventScroll: true });
  }, [isTyped]);
  const isGap = question.type === "fill_in_the_blank" && !question.inAnswer;
  return (
    <article className="study-card quiz-card">
      <h1 ref={heading} tabIndex={-1} className="study-question" dir="auto">
        {isGap ? <Blanked question={question} picture={card} /> : <CardSide card={card} side="question" />}
      </h1>
      {question.type === "multiple_choice" && <Options options={question.options} onGiven={onGiven} />}
      {question.type === "true_false" && <TrueFalse shown={question.shown} onGiven={onGiven} />}
      {question.type === "fill_in_the_blank" && question.inAnswer && (
        <p className="study-answer" dir="auto">
          <Blanked question={question} picture={null} />
        </p>
      )}
      {isTyped && (
        <Typed
          label={t(question.type === "fill_in_the_blank" ? "quiz.fill" : "quiz.answer")}
          isJudging={isJudging}
          onGiven={onGiven}
        />
      )}
    </article>
  );
}

interface BlankedProps {
  question: Extract<QuizQuestion, { type: "fill_in_the_blank" }>;
  /** The card whose picture is shown with the text. */
  picture: Flashcard | null;
}

function Blanked({ question, picture }: BlankedProps) {
  return (
    <>
      <CardText text={`${question.before}____${question.after}`} />
      {picture && <QuestionPicture card={picture} isRevealed={false} />}
    </>
  );
}

function ShownAnswer({ shown }: { shown: Shown }) {
  return (
    <>
      <CardText text={shown.text} />
      <CardImage address={shown.image} />
    </>
  );
}

function Options({ options, onGiven }: { options: readonly Shown[]; onGiven: Props["onGiven"] }) {
  useModeKeys(Object.fromEntries(options.map((_, at) => [String(at + 1), () => onGiven({ option: at })])));
  return (
    <div className="quiz-options" role="group" aria-label={t("quiz.choose")}>
      {options.map((option, at) => (
        <button
          key={`${option.text}:${option.image}`}
          type="button"
          className="quiz-option"
          aria-keyshortcuts={String(at + 1)}
          onClick={() => onGiven({ option: at })}
        >
          <span aria-hidden>
            <Kbd>{String(at + 1)}</Kbd>
          </span>
          <span className="quiz-option-words" dir="auto">
            <ShownAnswer shown={option} />
          </span>
        </button>
      ))}
    </div>
  );
}

function TrueFalse({ shown, onGiven }: { shown: Shown; onGiven: Props["onGiven"] }) {
  const say = (isTrue: boolean) => () => onGiven({ isTrue });
  useModeKeys({ "1": say(true), t: say(true), "2": say(false), f: say(false) });
  return (
    <>
      <div className="study-answer quiz-statement" dir="auto">
        <ShownAnswer shown={shown} />
      </div>
      <div className="quiz-truth" role="group" aria-label={t("quiz.is_it_true")}>
        <button type="button" className="quiz-option" aria-keyshortcuts="1 T" onClick={say(true)}>
          <span aria-hidden>
            <Kbd>1</Kbd>
          </span>
          {t("quiz.true")}
        </button>
        <button type="button" className="quiz-option" aria-keyshortcuts="2 F" onClick={say(false)}>
          <span aria-hidden>
            <Kbd>2</Kbd>
          </span>
          {t("quiz.false")}
        </button>
      </div>
    </>
  );
}

const MAX_TYPED = 2000;

function Typed({ label, isJudging, onGiven }: { label: string } & Pick<Props, "isJudging" | "onGiven">) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <form
      className="quiz-typed"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onGiven({ text });
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
        <Button variant="quiet" onClick={() => onGiven(null)}>
          {t("quiz.dont_know")}
        </Button>
        <Button type="submit" variant="primary" pending={isJudging} disabled={text.trim() === ""}>
          {t(isJudging ? "quiz.checking" : "quiz.check")}
        </Button>
      </div>
    </form>
  );
}
