import { useAtomValue } from "jotai/react";
import { useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { makeQuiz } from "#shared/quiz/quiz.ts";
import { QUESTION_TYPES } from "#shared/quiz/questions.ts";
import type { QuestionType } from "#shared/quiz/schema.ts";
import { listTopics, type QuizTopic } from "#shared/quiz/topics.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { KeyHint } from "#shared/ui/kbd.tsx";
import { EmptyBucketState } from "#webapp/study/empty-bucket-state.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import type { ModeProps } from "#webapp/study/study-mode.ts";
import type { QuizOptions } from "../use-quiz.ts";

const LENGTHS = ["10", "20", "50", "all"] as const;
type Length = (typeof LENGTHS)[number];

/** The limit for "all", because generating questions takes time and nobody answers more in one session. */
const MAX_QUESTIONS = 500;
const questionCount = (length: Length) => (length === "all" ? MAX_QUESTIONS : Number(length));
/** How many cards are checked to find out whether the chosen question types work with this deck. */
const SAMPLE_SIZE = 40;

function switchType(type: QuestionType, isOn: boolean): void {
  void changePreferences((all) => {
    const { flashcards } = all;
    const quiz_question_types = { ...flashcards.quiz_question_types, [type]: isOn };
    return { ...all, flashcards: { ...flashcards, quiz_question_types } };
  });
}

/** The lengths for which there are enough cards. */
const lengthsFor = (cardCount: number) => LENGTHS.filter((length) => length === "all" || Number(length) < cardCount);

/** Whether a question of these types can be made from at least one of the cards. */
function useHasQuestions({ cards, inBucket }: Pick<ModeProps, "cards" | "inBucket">, types: readonly QuestionType[]) {
  const sampleCards = useMemo(() => inBucket.slice(0, SAMPLE_SIZE), [inBucket]);
  return useMemo(
    () => makeQuiz({ cards: sampleCards, deck: cards, types, length: 1, random: () => 0 }).questions.length > 0,
    [sampleCards, cards, types],
  );
}

/** Shows what the quiz will ask, with options and a button that starts the quiz. */
export function QuizSetup(props: ModeProps & { onStart: (options: QuizOptions) => void }) {
  const { deck, inBucket, bucket, onStart } = props;
  const chosen = useAtomValue(preferencesAtom).flashcards.quiz_question_types;
  const [chosenLength, setLength] = useState<Length>("20");
  const lengths = lengthsFor(inBucket.length);
  const length = lengths.includes(chosenLength) ? chosenLength : "all";
  const types = useMemo(() => QUESTION_TYPES.filter((type) => chosen[type]), [chosen]);
  const hasQuestions = useHasQuestions(props, types);
  const start = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => start.current?.focus({ preventScroll: true }), []);
  const topics = useMemo(() => listTopics(inBucket, deck.sources), [inBucket, deck.sources]);
  if (inBucket.length === 0) return <EmptyBucketState {...props} />;
  const count = Math.min(questionCount(length), inBucket.length);
  return (
    <form
      className="quiz-setup"
      onSubmit={(event) => {
        event.preventDefault();
        if (hasQuestions) onStart({ cards: inBucket, types, length: questionCount(length) });
      }}
    >
      <div className="quiz-plan">
        <h1 className="study-end-title">{t(`quiz.start_${bucket}`, { count })}</h1>
        <TopicList topics={topics} />
      </div>
      {lengths.length > 1 && (
        <Segmented
          label={t("quiz.length")}
          labelShown
          value={length}
          options={lengths.map((option) => ({
            value: option,
            label: option === "all" ? t("quiz.length_every", { count: inBucket.length }) : option,
          }))}
          onValue={setLength}
        />
      )}
      <QuestionTypePicker chosen={chosen} onlyOne={types.length === 1} />
      <div className="quiz-start">
        <p className="quiz-note" role="status">
          {!hasQuestions && t("quiz.no_questions_text")}
        </p>
        <Button ref={start} type="submit" variant="primary" size="l" disabled={!hasQuestions}>
          {t("quiz.start")}
          <KeyHint>↵</KeyHint>
        </Button>
      </div>
    </form>
  );
}

interface QuestionTypePickerProps {
  chosen: Readonly<Record<QuestionType, boolean>>;
  onlyOne: boolean;
}

function QuestionTypePicker({ chosen, onlyOne }: QuestionTypePickerProps) {
  const id = useId();
  return (
    <fieldset className="quiz-types">
      <legend>{t("quiz.types")}</legend>
      {QUESTION_TYPES.map((type) => (
        <div key={type} className="quiz-type">
          <Checkbox
            label={t(`quiz.type_${type}`)}
            checked={chosen[type]}
            // At least one type must stay selected.
            disabled={onlyOne && chosen[type]}
            aria-describedby={`${id}${type}`}
            onValue={(isOn) => switchType(type, isOn)}
          />
          <p id={`${id}${type}`} className="quiz-type-hint">
            {t(`quiz.hint_${type}`)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

const MAX_TOPICS = 4;

/** The sources of the questions; hidden if the cards have no sources. */
function TopicList({ topics }: { topics: readonly QuizTopic[] }) {
  if (topics.length === 0) return null;
  const shown = topics.length > MAX_TOPICS + 1 ? topics.slice(0, MAX_TOPICS) : topics;
  return (
    <ul role="list" className="quiz-topics" aria-label={t("quiz.topics")}>
      {shown.map(({ name, count }) => (
        <li key={name}>
          <span className="quiz-topic" dir="auto">
            {name}
          </span>
          <span className="quiz-topic-count">{t("quiz.topic_cards", { count })}</span>
        </li>
      ))}
      {shown.length < topics.length && <li>{t("quiz.topics_more", { count: topics.length - shown.length })}</li>}
    </ul>
  );
}
