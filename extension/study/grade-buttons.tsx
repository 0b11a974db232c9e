import { useLayoutEffect, useRef } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { previewGrades } from "#shared/study/rules.ts";
import type { Grade } from "#shared/study/schema.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { uiLanguage } from "#extension/words/ui-language.ts";
import { words } from "#extension/words/words.ts";
import { createIntervalChooser, type Studying } from "./study-session.ts";

const gradeNames = {
  1: words.study_again,
  2: words.study_hard,
  3: words.study_good,
  4: words.study_easy,
} as const;

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const intervalFormat = new Intl.RelativeTimeFormat(uiLanguage, { numeric: "always", style: "short" });

/** Formats an interval: "in 10 min.", "in 9 days", "in 3 mo.". */
function formatInterval(ms: number): string {
  if (ms < 60 * MINUTE_MS) return intervalFormat.format(Math.max(1, Math.round(ms / MINUTE_MS)), "minute");
  if (ms < DAY_MS) return intervalFormat.format(Math.round(ms / (60 * MINUTE_MS)), "hour");
  const days = Math.round(ms / DAY_MS);
  return days < 60 ? intervalFormat.format(days, "day") : intervalFormat.format(Math.round(days / 30.44), "month");
}

interface Props {
  studying: Studying;
  cardId: string;
  onGrade: (grade: Grade) => void;
}

/** Four grade buttons, each with the resulting interval. */
export function GradeButtons({ studying, cardId, onGrade }: Props) {
  const { componentId, schedules, shownAt, params } = studying;
  const choose = createIntervalChooser(studying, shownAt);
  const options = previewGrades(
    { cardId, componentId },
    { schedule: schedules.get(cardId), now: shownAt, choose },
    params,
  );
  const goodButton = useRef<HTMLButtonElement>(null);
  // Focus the most common grade, so that Space and Enter select it.
  useLayoutEffect(() => goodButton.current?.focus({ preventScroll: true }), []);
  return (
    <div className="study-grades" role="group" aria-label={words.study_grades}>
      {options.map(({ grade, dueAt }) => {
        const when = formatInterval(dueAt - shownAt);
        return (
          <button
            key={grade}
            ref={grade === 3 ? goodButton : undefined}
            type="button"
            className="study-grade"
            data-grade={grade}
            aria-keyshortcuts={String(grade)}
            onClick={() => onGrade(grade)}
          >
            <span className="study-grade-name">
              {gradeNames[grade]} <Kbd>{String(grade)}</Kbd>
            </span>
            <span className="visually-hidden">{interpolate(words.study_next_review, { when })}</span>
            <span className="study-grade-when" aria-hidden>
              {when}
            </span>
          </button>
        );
      })}
    </div>
  );
}
