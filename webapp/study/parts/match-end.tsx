import { useId, useLayoutEffect, useRef } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { KeyHint } from "#shared/ui/kbd.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { useModeKeys } from "../use-mode-keys.ts";

export interface MatchResult {
  durationMs: number;
  misses: number;
  /** Cards whose question was paired with another answer. */
  mixedUp: readonly Flashcard[];
  /** The best time before this round; null if there was none. */
  bestMs: number | null;
}

/** "14.2 s" */
export const formatMatchTime = (durationMs: number): string =>
  t("modes.match_clock", { seconds: formatNumber(durationMs / 1000, 1) });

/** Tenths of a second, as in the displayed time. */
const toTenths = (durationMs: number) => Math.round(durationMs / 100);

function formatComparison({ durationMs, bestMs }: MatchResult): string {
  if (bestMs === null) return t("modes.match_first");
  if (toTenths(durationMs) >= toTenths(bestMs)) return t("modes.match_behind", { time: formatMatchTime(bestMs) });
  return t("modes.match_is_best", { time: formatMatchTime((toTenths(bestMs) - toTenths(durationMs)) * 100) });
}

export function MatchEnd({ result, onAgain }: { result: MatchResult; onAgain: () => void }) {
  const { durationMs, misses, mixedUp } = result;
  const heading = useRef<HTMLHeadingElement>(null);
  const comparisonId = useId();
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useModeKeys({ Enter: onAgain });
  return (
    <section className="match-end">
      <div>
        {/* The heading is read out with the time. */}
        <h1 ref={heading} tabIndex={-1} aria-describedby={comparisonId}>
          <span className="match-done">{t("modes.match_done")}</span>{" "}
          <span className="match-time">{formatMatchTime(durationMs)}</span>
        </h1>
        <p id={comparisonId} className="match-about">
          {formatComparison(result)}
        </p>
      </div>
      <Button variant="primary" size="l" onClick={onAgain}>
        {t("modes.match_again")}
        <KeyHint>↵</KeyHint>
      </Button>
      {mixedUp.length > 0 && (
        <div className="match-mixed">
          <h2>{t("modes.match_misses", { count: misses })}</h2>
          <dl>
            {mixedUp.map((card) => (
              <div key={card.id} className="match-pair">
                <dt dir="auto">
                  <SectionLine card={card} />
                  <CardSide card={card} side="question" />
                </dt>
                <dd dir="auto">
                  <CardSide card={card} side="answer" />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}
