import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { formatNumber, t } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { runFit, fitAtom, loadFit, removeFit } from "../../scheduler-fit.ts";

const MAX_NEW_CARDS = 9999;
const RETENTION_RANGE = { from: 70, to: 97 };
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const shares = { easy_full: 1, easy_half: 0.5, easy_none: 0 } as const;
type ShareName = keyof typeof shares;
const shareNames = Object.keys(shares) as ShareName[];

type Cards = Preferences["flashcards"];
const change = (patch: Partial<Cards>) =>
  void changePreferences((before) => ({ ...before, flashcards: { ...before.flashcards, ...patch } }));

/** Default scheduling settings for decks without their own. */
export function StudySettings() {
  const { flashcards } = useAtomValue(preferencesAtom);
  return (
    <>
      <WholeNumber
        label={`${t("planning.desired")} (%)`}
        hint={t("planning.desired_hint")}
        value={Math.round(flashcards.desired_retention * 100)}
        range={RETENTION_RANGE}
        onValue={(value) => change({ desired_retention: value / 100 })}
      />
      <WholeNumber
        label={t("planning.new_per_day")}
        value={flashcards.new_cards_per_day}
        range={{ from: 0, to: MAX_NEW_CARDS }}
        onValue={(value) => change({ new_cards_per_day: value })}
      />
      <Switch
        label={t("planning.learn_from_edits")}
        checked={flashcards.learn_from_edits}
        onValue={(isOn) => change({ learn_from_edits: isOn })}
      />
      <p className="settings-note">{t("planning.learn_from_edits_hint")}</p>
    </>
  );
}

/** Settings for easy days and for fitting the scheduler to the student's reviews. */
export function SchedulerSettings() {
  const { easy_days: easyDays } = useAtomValue(preferencesAtom).flashcards;
  return (
    <>
      <EasyDays easyDays={easyDays} />
      <SchedulerFit />
    </>
  );
}

interface NumberProps {
  label: string;
  hint?: string;
  value: number;
  range: { from: number; to: number };
  onValue: (value: number) => void;
}

/** A whole number that is saved on blur or Enter if it is valid. */
function WholeNumber({ label, hint, value, range: { from, to }, onValue }: NumberProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const entered = Number(draft);
  const isInvalid =
    draft !== null && (draft.trim() === "" || !Number.isInteger(entered) || entered < from || entered > to);
  const save = () => {
    if (draft === null || isInvalid) return;
    setDraft(null);
    if (entered !== value) onValue(entered);
  };
  return (
    <TextField
      label={label}
      hint={hint}
      type="number"
      inputMode="numeric"
      min={from}
      max={to}
      value={draft ?? String(value)}
      error={isInvalid ? t("planning.number_between", { from, to }) : undefined}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={save}
      onKeyDown={({ key }) => key === "Enter" && save()}
    />
  );
}

/** The option nearest to a share, because another client may have saved any number. */
const findNearestShareName = (share: number): ShareName =>
  shareNames.toSorted((a, b) => Math.abs(shares[a] - share) - Math.abs(shares[b] - share))[0] ?? "easy_full";

function EasyDays({ easyDays }: { easyDays: readonly number[] }) {
  return (
    <fieldset className="settings-days">
      <legend>{t("planning.easy_days")}</legend>
      {weekdays.map((weekday, index) => (
        <Select
          key={weekday}
          label={t(`planning.${weekday}`)}
          value={findNearestShareName(easyDays[index] ?? 1)}
          options={shareNames.map((name) => ({ value: name, label: t(`planning.${name}`) }))}
          onValue={(name) =>
            change({ easy_days: weekdays.map((_, day) => (day === index ? shares[name] : (easyDays[day] ?? 1))) })
          }
        />
      ))}
    </fieldset>
  );
}

const outcomes = {
  fitted: "planning.fit_fitted",
  unchanged: "planning.fit_unchanged",
  too_few: "planning.fit_not_enough",
  unavailable: "planning.fit_unavailable",
  failed: "planning.fit_failed",
  removed: "planning.fit_removed",
} as const;

/** Restoring the defaults also turns off automatic fitting. */
const restoreDefaults = async () => (await removeFit()) && change({ fit_by_itself: false });

function SchedulerFit() {
  const state = useAtomValue(fitAtom);
  const { flashcards } = useAtomValue(preferencesAtom);
  const now = useNow();
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => {
    if (accountId !== undefined) void loadFit();
  }, [accountId]);
  if (state === null) return null;
  const { fit, reviews, needed, run } = state;
  const hasTooFewReviews = reviews < needed;
  return (
    <div className="settings-fit">
      <h3>{t("planning.fit")}</h3>
      <Switch
        label={t("planning.fit_automatically")}
        checked={flashcards.fit_by_itself}
        onValue={(isOn) => change({ fit_by_itself: isOn })}
      />
      <p className="settings-note">{t("planning.fit_automatically_hint")}</p>
      <p>
        {fit
          ? t(fit.startedBy === "schedule" ? "planning.fit_state_automatic" : "planning.fit_state", {
              when: formatRelativeDate(fit.fittedAt, now),
              reviews: fit.reviews,
              before: formatNumber(fit.lossBefore, 3),
              after: formatNumber(fit.lossAfter, 3),
            })
          : t("planning.fit_none")}
      </p>
      {hasTooFewReviews && <p className="settings-note">{t("planning.fit_short", { count: reviews, needed })}</p>}
      {!hasTooFewReviews && (
        <Button disabled={run === "running"} onClick={() => void runFit()}>
          {t(run === "running" ? "planning.fit_running" : "planning.fit_run")}
        </Button>
      )}
      {fit && (
        <Button variant="quiet" disabled={run === "running"} onClick={() => void restoreDefaults()}>
          {t("planning.fit_remove")}
        </Button>
      )}
      <p role="status" className="settings-note">
        {run !== null && run !== "running" && t(outcomes[run])}
      </p>
    </div>
  );
}
