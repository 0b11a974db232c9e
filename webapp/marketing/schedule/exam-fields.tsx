import { useId } from "react";
import { countTopicsLeftOut, MAX_PLAN_TOPICS } from "#shared/marketing/study-plan.ts";
import { countDaysLeftOut, MAX_PLAN_DAYS } from "#shared/marketing/allocate-days.ts";
import { countWord, word } from "../tools/words.ts";
import { MAX_TOPICS_CHARS, type ExamForm } from "./schedule-state.ts";

interface ExamFieldsProps {
  exam: ExamForm;
  start: string;
  change: (part: Partial<ExamForm>) => void;
}

/** The fields of one exam. */
export function ExamFields({ exam, start, change }: ExamFieldsProps) {
  const id = useId();
  return (
    <>
      <div className="schedule-exam-head">
        <div>
          <label htmlFor={`${id}-name`}>{word("schedule_name")}</label>
          <input
            id={`${id}-name`}
            value={exam.name}
            maxLength={120}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
        </div>
        <div>
          <label htmlFor={`${id}-exam`}>{word("schedule_exam")}</label>
          <input
            id={`${id}-exam`}
            type="date"
            value={exam.exam}
            min={start}
            onChange={(event) => change({ exam: event.target.value })}
          />
        </div>
      </div>
      <label htmlFor={`${id}-topics`}>{word("schedule_topics")}</label>
      <textarea
        id={`${id}-topics`}
        rows={4}
        value={exam.topics}
        maxLength={MAX_TOPICS_CHARS}
        placeholder={word("schedule_topics_placeholder")}
        aria-describedby={`${id}-hint`}
        onChange={(event) => change({ topics: event.target.value })}
      />
      <p className="tool-hint" id={`${id}-hint`}>
        {word("schedule_topics_hint")}
      </p>
      <LeftOut exam={exam} start={start} />
    </>
  );
}

/** Says what of the exam the plan does not cover. */
function LeftOut({ exam: { exam, topics }, start }: Pick<ExamFieldsProps, "exam" | "start">) {
  const leftOut = { topics: countTopicsLeftOut(topics), days: countDaysLeftOut({ start, exam }) };
  return (
    <div role="status">
      {leftOut.topics > 0 && (
        <p className="tool-problem">
          {countWord("schedule_topics_left_out", leftOut.topics, { max: MAX_PLAN_TOPICS })}
        </p>
      )}
      {leftOut.days > 0 && (
        <p className="tool-problem">{countWord("schedule_days_left_out", leftOut.days, { max: MAX_PLAN_DAYS })}</p>
      )}
    </div>
  );
}
