import { useEffect, useRef, useState } from "react";
import { word } from "../tools/words.ts";
import { ExamFields } from "./exam-fields.tsx";
import { emptyExam, MAX_EXAMS, type ExamForm } from "./schedule-state.ts";

interface ListProps {
  exams: readonly ExamForm[];
  start: string;
  change: (exams: readonly ExamForm[]) => void;
}

/** The last change of the list: an exam that is there now, or one that was removed and can be brought back. */
type ListChange = { index: number; removed?: ExamForm };

/** Moves the focus after a change, because the button that was pressed may be gone. */
function useFocusAfter(last: ListChange | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (last === undefined) return;
    const field = list.current?.querySelectorAll("fieldset")[last.index]?.querySelector("input");
    (last.removed ? undo.current : field)?.focus();
  }, [last]);
  return { list, undo };
}

/** The fields of each exam. A single exam has neither a heading nor a button to remove it. */
export function ExamList({ exams, start, change }: ListProps) {
  const [last, setLast] = useState<ListChange>();
  const { list, undo } = useFocusAfter(last);
  const insert = (index: number, exam: ExamForm) => {
    change(exams.toSpliced(index, 0, exam));
    setLast({ index });
  };
  const remove = (index: number, removed: ExamForm) => {
    change(exams.toSpliced(index, 1));
    setLast({ index, removed });
  };
  return (
    <div ref={list} className="schedule-exams">
      {exams.map((exam, index) => (
        <Exam
          // Exams have no id, and their fields no state of their own.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          number={index + 1}
          exam={exam}
          start={start}
          change={(part) => change(exams.with(index, { ...exam, ...part }))}
          {...(exams.length > 1 && { onRemove: () => remove(index, exam) })}
        />
      ))}
      <div className="schedule-exam-actions">
        {exams.length < MAX_EXAMS && (
          <button type="button" className="button button-secondary" onClick={() => insert(exams.length, emptyExam)}>
            {word("schedule_exam_add")}
          </button>
        )}
        <span role="status">
          {last?.removed && (
            <>
              {word("schedule_exam_removed")}{" "}
              <button
                ref={undo}
                type="button"
                className="button button-quiet"
                onClick={() => last.removed && insert(last.index, last.removed)}
              >
                {word("undo")}
              </button>
            </>
          )}
        </span>
      </div>
    </div>
  );
}

interface ExamProps {
  number: number;
  exam: ExamForm;
  start: string;
  change: (part: Partial<ExamForm>) => void;
  /** Only of one among several. */
  onRemove?: () => void;
}

function Exam({ number, exam, start, change, onRemove }: ExamProps) {
  const name = word("schedule_exam_number", { number });
  return (
    <fieldset className="schedule-exam-fields" aria-label={name}>
      {onRemove && (
        <div className="schedule-exam-title">
          <h2>{name}</h2>
          <button
            type="button"
            className="button button-quiet"
            aria-label={word("schedule_exam_remove", { number })}
            onClick={onRemove}
          >
            {word("schedule_exam_remove_short")}
          </button>
        </div>
      )}
      <ExamFields exam={exam} start={start} change={change} />
    </fieldset>
  );
}
