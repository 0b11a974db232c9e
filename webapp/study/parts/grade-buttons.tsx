import { useLayoutEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { previewCurrentCard } from "#shared/study/controller.ts";
import { GRADE_NAMES } from "#shared/study/rules.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortInterval, formatLongInterval } from "../format-interval.ts";
import { grade } from "../session/state.ts";
import type { ActiveStudy } from "../session/study-view.ts";

/** The four grades, each with its next interval. */
export function GradeButtons({ view }: { view: ActiveStudy }) {
  // Computed for the time the card was shown, so that intervals do not change while the student thinks.
  const { shownAt } = view;
  const options = previewCurrentCard(view);
  const good = useRef<HTMLButtonElement>(null);
  // Focus the most common grade, so that Space and Enter give it.
  useLayoutEffect(() => good.current?.focus({ preventScroll: true }), []);
  return (
    <div className="study-grades" role="group" aria-label={t("study.grades")}>
      {options.map(({ grade: gradeValue, dueAt }) => {
        const name = t(`study.${GRADE_NAMES[gradeValue]}`);
        return (
          <button
            key={gradeValue}
            ref={gradeValue === 3 ? good : undefined}
            type="button"
            className={`study-grade study-grade-${GRADE_NAMES[gradeValue]}`}
            aria-keyshortcuts={String(gradeValue)}
            onClick={() => void grade(gradeValue)}
          >
            <span className="study-grade-name">{name}</span>
            <span className="visually-hidden">
              {t("study.next_review", { interval: formatLongInterval(dueAt - shownAt) })}
            </span>
            <span className="study-grade-interval" aria-hidden>
              {formatShortInterval(dueAt - shownAt)}
            </span>
            <span className="study-grade-key" aria-hidden>
              <Kbd>{String(gradeValue)}</Kbd>
            </span>
          </button>
        );
      })}
    </div>
  );
}
