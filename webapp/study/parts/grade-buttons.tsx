import { useLayoutEffect, useRef } from "react";
import { t } from "#shared/messages/translate.ts";
import { preview } from "#shared/study/rules.ts";
import { Kbd } from "#shared/ui/kbd.tsx";
import { shortInterval, spokenInterval } from "../interval.ts";
import { grade } from "../state.ts";
import { chooserFor, type Studying } from "../view.ts";

const names = { 1: "again", 2: "hard", 3: "good", 4: "easy" } as const;

interface Props {
  view: Studying;
  cardId: string;
}

/** The four grades, each with its next interval. */
export function GradeButtons({ view, cardId }: Props) {
  // Computed for the time the card was shown, so that intervals do not change while the student thinks.
  const { shownAt, schedules, deck, params } = view;
  const schedule = schedules.get(cardId);
  const choose = chooserFor(view, shownAt);
  const shown = preview({ cardId, componentId: deck.componentId }, { schedule, now: shownAt, choose }, params);
  const good = useRef<HTMLButtonElement>(null);
  // Focus the most common grade, so that Space and Enter give it.
  useLayoutEffect(() => good.current?.focus({ preventScroll: true }), []);
  return (
    <div className="study-grades" role="group" aria-label={t("study.grades")}>
      {shown.map(({ grade: given, dueAt }) => {
        const name = t(`study.${names[given]}`);
        return (
          <button
            key={given}
            ref={given === 3 ? good : undefined}
            type="button"
            className={`study-grade study-grade-${names[given]}`}
            aria-keyshortcuts={String(given)}
            onClick={() => void grade(given)}
          >
            <span className="study-grade-name">{name}</span>
            <span className="visually-hidden">
              {t("study.comes_back", { interval: spokenInterval(dueAt - shownAt) })}
            </span>
            <span className="study-grade-interval" aria-hidden>
              {shortInterval(dueAt - shownAt)}
            </span>
            <span className="study-grade-key" aria-hidden>
              <Kbd>{String(given)}</Kbd>
            </span>
          </button>
        );
      })}
    </div>
  );
}
