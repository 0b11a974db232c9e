import { useLayoutEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { previewGrades } from "#shared/study/rules.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { formatShortInterval, formatLongInterval } from "../format-interval.ts";
import { grade } from "../session/state.ts";
import { createChooserFor, type ActiveStudy } from "../session/view.ts";

const gradeKeys = { 1: "again", 2: "hard", 3: "good", 4: "easy" } as const;

interface Props {
  view: ActiveStudy;
  cardId: string;
}

/** The four grades, each with its next interval. */
export function GradeButtons({ view, cardId }: Props) {
  // Computed for the time the card was shown, so that intervals do not change while the student thinks.
  const { shownAt, schedules, deck, params } = view;
  const schedule = schedules.get(cardId);
  const choose = createChooserFor(view, shownAt);
  const shown = previewGrades({ cardId, componentId: deck.componentId }, { schedule, now: shownAt, choose }, params);
  const good = useRef<HTMLButtonElement>(null);
  // Focus the most common grade, so that Space and Enter give it.
  useLayoutEffect(() => good.current?.focus({ preventScroll: true }), []);
  return (
    <div className="study-grades" role="group" aria-label={t("study.grades")}>
      {shown.map(({ grade: gradeValue, dueAt }) => {
        const name = t(`study.${gradeKeys[gradeValue]}`);
        return (
          <button
            key={gradeValue}
            ref={gradeValue === 3 ? good : undefined}
            type="button"
            className={`study-grade study-grade-${gradeKeys[gradeValue]}`}
            aria-keyshortcuts={String(gradeValue)}
            onClick={() => void grade(gradeValue)}
          >
            <span className="study-grade-name">{name}</span>
            <span className="visually-hidden">
              {t("study.comes_back", { interval: formatLongInterval(dueAt - shownAt) })}
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
