import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { toDateFieldValue, type Exam, parseExamDate, saveExam } from "./exams.ts";
import { ForecastView } from "./forecast-view.tsx";
import { useForecast } from "./use-forecast.ts";
import "./exam.css";

const DEFAULT_MINUTES = 20;
const MAX_MINUTES = 1440;

interface Props {
  decks: readonly DueDeck[];
  /** The exam to edit; null for a new one. */
  exam: Exam | null;
  onClose: () => void;
}

interface Entry {
  date: string;
  minutes: string;
  chosen: ReadonlySet<string>;
}

/** Validation errors, in the order of the fields. */
function validateEntry({ date, minutes, chosen }: Entry, now: number) {
  const examAt = parseExamDate(date);
  const isPast = examAt !== undefined && examAt <= now;
  const dateError = examAt === undefined ? t("planning.no_date") : isPast ? t("planning.past") : undefined;
  const count = Number(minutes);
  const minutesError = count >= 1 && count <= MAX_MINUTES ? undefined : t("planning.no_minutes");
  return { dateError, minutesError, decksError: chosen.size === 0 ? t("planning.no_decks") : undefined };
}

export function ExamDialog({ decks, exam, onClose }: Props) {
  const now = useNow();
  const [entry, setEntry] = useState<Entry>(() => ({
    date: exam ? toDateFieldValue(exam.examAt) : "",
    minutes: String(exam?.minutesPerDay ?? DEFAULT_MINUTES),
    chosen: new Set((exam?.decks ?? decks.slice(0, 1)).map(({ componentId }) => componentId)),
  }));
  const [hasTriedToSave, setTriedToSave] = useState(false);
  const { dateError, minutesError, decksError } = validateEntry(entry, now);
  const isValid = !dateError && !minutesError && !decksError;
  const chosen = decks.filter(({ componentId }) => entry.chosen.has(componentId));
  const examInput = { decks: chosen, examAt: parseExamDate(entry.date) ?? 0, minutesPerDay: Number(entry.minutes) };
  const forecast = useForecast(isValid ? examInput : null);
  const finish = async (saved: Promise<boolean>, successMessage: string | null) => {
    if (!(await saved)) return notify({ message: t("planning.not_saved"), type: "error" });
    if (successMessage !== null) notify({ message: successMessage, type: "success" });
    return onClose();
  };
  const save = () => {
    setTriedToSave(true);
    if (isValid) void finish(saveExam(chosen, examInput), null);
  };
  return (
    <Dialog
      open
      title={t("planning.plan_exam")}
      closeLabel={t("planning.close")}
      closeOnBackdrop={false}
      onClose={onClose}
      footer={
        <>
          {exam && (
            <Button variant="quiet" onClick={() => void finish(saveExam(exam.decks, null), t("planning.removed"))}>
              {t("planning.remove")}
            </Button>
          )}
          <Button variant="primary" onClick={save}>
            {t("planning.save")}
          </Button>
        </>
      }
    >
      <div className="exam-form">
        <Fields entry={entry} onEntry={setEntry} now={now} hasTriedToSave={hasTriedToSave} />
        <DeckChoice decks={decks} chosen={entry.chosen} onChosen={(ids) => setEntry({ ...entry, chosen: ids })} />
        {decksError && <p className="exam-wrong">{decksError}</p>}
        {isValid && <ForecastView forecast={forecast} now={now} />}
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  entry: Entry;
  onEntry: (entry: Entry) => void;
  now: number;
  /** After the first attempt to save, missing fields are reported too. */
  hasTriedToSave: boolean;
}

function Fields({ entry, onEntry, now, hasTriedToSave }: FieldsProps) {
  const { dateError, minutesError } = validateEntry(entry, now);
  return (
    <>
      <TextField
        label={t("planning.date")}
        type="date"
        value={entry.date}
        min={toDateFieldValue(now)}
        error={hasTriedToSave || entry.date !== "" ? dateError : undefined}
        onChange={({ target }) => onEntry({ ...entry, date: target.value })}
      />
      <TextField
        label={t("planning.minutes")}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_MINUTES}
        value={entry.minutes}
        error={minutesError}
        onChange={({ target }) => onEntry({ ...entry, minutes: target.value })}
      />
    </>
  );
}

interface ChoiceProps {
  decks: readonly DueDeck[];
  chosen: ReadonlySet<string>;
  onChosen: (ids: ReadonlySet<string>) => void;
}

function DeckChoice({ decks, chosen, onChosen }: ChoiceProps) {
  const toggle = (id: string, isChosen: boolean) =>
    onChosen(new Set(isChosen ? [...chosen, id] : [...chosen].filter((chosenId) => chosenId !== id)));
  return (
    <fieldset className="exam-decks">
      <legend>{t("planning.decks")}</legend>
      {decks.map(({ componentId, title }) => (
        <Checkbox
          key={componentId}
          label={title}
          checked={chosen.has(componentId)}
          onValue={(isChosen) => toggle(componentId, isChosen)}
        />
      ))}
    </fieldset>
  );
}
