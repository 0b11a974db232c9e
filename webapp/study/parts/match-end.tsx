import { useLayoutEffect, useRef } from "react";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";

export interface MatchResult {
  durationMs: number;
  misses: number;
  /** The best time before this round; null if there was none. */
  bestMs: number | null;
}

const formatClock = (durationMs: number) => t("modes.match_clock", { seconds: formatNumber(durationMs / 1000, 1) });

export function MatchEnd({ result, onAgain }: { result: MatchResult; onAgain: () => void }) {
  const { durationMs, misses, bestMs } = result;
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  const lines = [
    [t("modes.match_time"), formatClock(durationMs)],
    [t("modes.match_misses"), String(misses)],
    [t("modes.match_best"), bestMs === null || durationMs < bestMs ? t("modes.match_is_best") : formatClock(bestMs)],
  ];
  return (
    <section className="match-end">
      <h1 className="study-end-title">{t("modes.match_done")}</h1>
      <dl className="study-summary">
        {lines.map(([name, value]) => (
          <div key={name} className="study-summary-line">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button ref={button} variant="primary" size="l" onClick={onAgain}>
        {t("modes.match_again")}
      </Button>
    </section>
  );
}
