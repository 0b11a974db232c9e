import { useLayoutEffect, useRef } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { previewCurrentCard } from "#shared/study/controller.ts";
import { toIntervalUnits } from "#shared/study/interval.ts";
import { GRADE_NAMES } from "#shared/study/rules.ts";
import type { Grade } from "#shared/study/schema.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { uiLanguage } from "#extension/words/ui-language.ts";
import { words } from "#extension/words/words.ts";
import type { Studying } from "./study-session.ts";

const gradeNames = {
  again: words.study_again,
  hard: words.study_hard,
  good: words.study_good,
  easy: words.study_easy,
} as const;

const intervalFormat = new Intl.RelativeTimeFormat(uiLanguage, { numeric: "always", style: "short" });

/** Formats an interval: "in 10 min.", "in 9 days", "in 3 mo.". */
function formatInterval(ms: number): string {
  const { unit, count } = toIntervalUnits(ms);
  return intervalFormat.format(count, unit);
}

interface Props {
  studying: Studying;
  onGrade: (grade: Grade) => void;
}

/** Four grade buttons, each with the resulting interval. */
export function GradeButtons({ studying, onGrade }: Props) {
  const { shownAt } = studying;
  const goodButton = useRef<HTMLButtonElement>(null);
  // Focus the most common grade, so that Space and Enter select it.
  useLayoutEffect(() => goodButton.current?.focus({ preventScroll: true }), []);
  return (
    <div className="study-grades" role="group" aria-label={words.study_grades}>
      {previewCurrentCard(studying).map(({ grade, dueAt }) => {
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
              {gradeNames[GRADE_NAMES[grade]]} <Kbd>{String(grade)}</Kbd>
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
