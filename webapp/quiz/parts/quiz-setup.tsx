import { useAtomValue } from "jotai/react";
import { useMemo, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { makeQuiz } from "#shared/quiz/quiz.ts";
import { QUESTION_TYPES } from "#shared/quiz/questions.ts";
import type { QuestionType } from "#shared/quiz/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { EmptyBucketState } from "#webapp/study/empty-bucket-state.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import type { ModeProps } from "#webapp/study/study-mode.ts";
import type { QuizOptions } from "../use-quiz.ts";

const LENGTHS = ["10", "20", "50", "all"] as const;
type Length = (typeof LENGTHS)[number];

/** More questions than anyone answers in one session; each takes a moment to generate. */
const MAX_QUESTIONS = 500;
const questionCount = (length: Length) => (length === "all" ? MAX_QUESTIONS : Number(length));
/** Number of cards checked for whether the chosen question types work with this deck. */
const SAMPLE_SIZE = 40;

function switchType(type: QuestionType, isOn: boolean): void {
  void changePreferences((all) => {
    const { flashcards } = all;
    const quiz_question_types = { ...flashcards.quiz_question_types, [type]: isOn };
    return { ...all, flashcards: { ...flashcards, quiz_question_types } };
  });
}

/** The options of a quiz. */
export function QuizSetup(props: ModeProps & { onStart: (options: QuizOptions) => void }) {
  const { cards, inBucket, bucket, onStart } = props;
  const chosen = useAtomValue(preferencesAtom).flashcards.quiz_question_types;
  const [length, setLength] = useState<Length>("20");
  const types = useMemo(() => QUESTION_TYPES.filter((type) => chosen[type]), [chosen]);
  const sampleCards = useMemo(() => inBucket.slice(0, SAMPLE_SIZE), [inBucket]);
  const canAsk = useMemo(
    () => makeQuiz({ cards: sampleCards, deck: cards, types, length: 1, random: () => 0 }).questions.length > 0,
    [sampleCards, cards, types],
  );
  const count = Math.min(questionCount(length), inBucket.length);
  if (inBucket.length === 0) return <EmptyBucketState {...props} />;
  return (
    <form
      className="quiz-setup"
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk) onStart({ cards: inBucket, types, length: questionCount(length) });
      }}
    >
      <h1 className="study-end-title">{t("quiz.title")}</h1>
      <fieldset className="quiz-types">
        <legend>{t("quiz.types")}</legend>
        {QUESTION_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={t(`quiz.type_${type}`)}
            checked={chosen[type]}
            // At least one type must stay selected.
            disabled={types.length === 1 && chosen[type]}
            onValue={(isOn) => switchType(type, isOn)}
          />
        ))}
      </fieldset>
      <Segmented
        label={t("quiz.length")}
        labelShown
        value={length}
        options={LENGTHS.map((lengthOption) => ({
          value: lengthOption,
          label: lengthOption === "all" ? t("quiz.length_all") : lengthOption,
        }))}
        onValue={setLength}
      />
      <p className="quiz-note" role="status">
        {canAsk ? t("quiz.start_count", { count, bucket: t(`modes.bucket_${bucket}`) }) : t("quiz.no_questions_text")}
      </p>
      <Button type="submit" variant="primary" size="l" disabled={!canAsk}>
        {t("quiz.start")}
      </Button>
    </form>
  );
}
