import { useEffect, useId, useState } from "react";
import { LocalNote } from "../tools/local-note.tsx";
import { useReady } from "../tools/use-ready.ts";
import { toolLanguage, word } from "../tools/words.ts";
import { ExamList } from "./exam-list.tsx";
import { SchedulePlan } from "./schedule-plan.tsx";
import { emptyForm, FragmentWriter, fromFragment, toRequest, type ScheduleForm } from "./schedule-state.ts";

const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** "Mon", "Tue" and so on, in the page's language. */
const weekdays = () =>
  Array.from({ length: 7 }, (_, index) =>
    new Date(MONDAY + index * DAY_MS).toLocaleDateString(toolLanguage(), { weekday: "short", timeZone: "UTC" }),
  );

const todayHere = () => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** Makes a study plan while the form is being filled in. The address contains the whole form. */
export function ScheduleTool() {
  useReady();
  const [form, setForm] = useState<ScheduleForm>(emptyForm);
  // oxlint-disable-next-line react/set-state-in-effect -- the page is rendered without an address
  useEffect(() => setForm(fromFragment(location.hash, todayHere())), []);
  const [address] = useState(() => new FragmentWriter());
  useEffect(() => {
    addEventListener("pagehide", address.flush);
    return () => {
      removeEventListener("pagehide", address.flush);
      address.flush();
    };
  }, [address]);
  const change = (part: Partial<ScheduleForm>) => {
    const next = { ...form, ...part };
    setForm(next);
    address.write(next);
  };
  return (
    <div className="tool">
      <ScheduleFields form={form} change={change} onLeave={address.flush} />
      <SchedulePlan form={form} request={toRequest(form)} />
    </div>
  );
}

interface FieldsProps {
  form: ScheduleForm;
  change: (part: Partial<ScheduleForm>) => void;
}

function ScheduleFields({ form, change, onLeave }: FieldsProps & { onLeave: () => void }) {
  const id = useId();
  return (
    <form className="tool-form tool-source" onBlur={onLeave} onSubmit={(event) => event.preventDefault()}>
      <ExamList exams={form.exams} start={form.start} change={(exams) => change({ exams })} />
      <div className="schedule-start">
        <label htmlFor={`${id}-start`}>{word("schedule_start")}</label>
        <input
          id={`${id}-start`}
          type="date"
          value={form.start}
          onChange={(event) => change({ start: event.target.value })}
        />
      </div>
      <Hours form={form} change={change} />
      <label className="schedule-check">
        <input
          type="checkbox"
          checked={form.withReviews}
          onChange={(event) => change({ withReviews: event.target.checked })}
        />{" "}
        {word("schedule_reviews")}
      </label>
      <p className="tool-hint">{word("schedule_reviews_hint")}</p>
      <LocalNote text={word("schedule_private")} />
    </form>
  );
}

function Hours({ form, change }: FieldsProps) {
  return (
    <fieldset className="schedule-hours">
      <legend>{word("schedule_hours")}</legend>
      {weekdays().map((day, index) => (
        <label key={day}>
          <span>{day}</span>
          <input
            type="number"
            min={0}
            max={16}
            step={0.5}
            inputMode="decimal"
            value={form.hours[index] ?? 0}
            onChange={(event) => {
              const hours = Math.min(16, Math.max(0, Number(event.target.value) || 0));
              change({ hours: form.hours.with(index, hours) });
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
