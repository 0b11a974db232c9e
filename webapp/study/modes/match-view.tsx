import { useEffect, useMemo, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { dealMatch, pairsLeft, pressTile, type MatchOutcome, type MatchRound, type Tile } from "#shared/study/match.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { spokenForm } from "../speech.ts";
import { StudyFrame } from "../study-frame.tsx";
import type { ModeProps } from "../study-mode.ts";
import { useModeKeys } from "../use-mode-keys.ts";
import { keepBestMatch } from "./best-match.ts";
import { EmptyBucket } from "../parts/empty-bucket.tsx";
import { MatchEnd, type MatchResult } from "../parts/match-end.tsx";
import { moveFocus } from "./tile-focus.ts";
import "./match-view.css";

interface Playing {
  round: MatchRound;
  startedAt: number;
  last: { outcome: MatchOutcome; cardId: string } | null;
}

/** Pair questions and answers against the clock. A game: it does not grade cards. */
export function MatchView(props: ModeProps) {
  const { deck, inBucket, bar, leave } = props;
  const [playing, setPlaying] = useState<Playing | null>(null);
  const [result, setResult] = useState<MatchResult | null>(null);
  const canPlay = useMemo(() => dealMatch(inBucket, () => 0) !== undefined, [inBucket]);
  const start = () => {
    const round = dealMatch(inBucket, Math.random);
    if (!round) return;
    setResult(null);
    setPlaying({ round, startedAt: performance.now(), last: null });
  };
  const press = (tile: Tile) => {
    const pressed = playing && pressTile(playing.round, tile.id);
    if (!pressed) return;
    const { round, outcome } = pressed;
    if (pairsLeft(round) > 0) return setPlaying({ ...playing, round, last: { outcome, cardId: tile.cardId } });
    const ms = performance.now() - playing.startedAt;
    setPlaying(null);
    setResult({ ms, misses: round.misses, bestMs: null });
    void keepBestMatch(deck.componentId, ms).then((bestMs) => setResult({ ms, misses: round.misses, bestMs }));
  };
  useModeKeys({ Escape: leave });
  if (inBucket.length === 0) return <EmptyBucket {...props} />;
  const total = playing ? playing.round.tiles.length / 2 : 0;
  const progress = playing && {
    value: playing.round.found.size,
    max: total,
    words: t("modes.match_left", { count: pairsLeft(playing.round) }),
  };
  return (
    <StudyFrame
      deck={deck}
      bar={bar}
      onLeave={leave}
      progress={progress ?? undefined}
      end={playing && <Clock startedAt={playing.startedAt} />}
    >
      {playing && <Tiles playing={playing} cards={props.cards} onPress={press} />}
      {!playing && result && <MatchEnd result={result} onAgain={start} />}
      {!playing && !result && <Begin canPlay={canPlay} onStart={start} />}
    </StudyFrame>
  );
}

function Begin({ canPlay, onStart }: { canPlay: boolean; onStart: () => void }) {
  if (!canPlay)
    return (
      <EmptyState headingLevel={1} title={t("modes.match_few_title")}>
        {t("modes.match_few_text")}
      </EmptyState>
    );
  return (
    <section className="match-begin">
      <h1 className="study-question">{t("modes.match_intro")}</h1>
      <Button variant="primary" size="l" onClick={onStart}>
        {t("modes.match_start")}
      </Button>
    </section>
  );
}

/** Whole seconds only, to avoid flicker. */
function Clock({ startedAt }: { startedAt: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - startedAt) / 1000)), 200);
    return () => clearInterval(timer);
  }, [startedAt]);
  return (
    <span className="study-position" role="timer" aria-label={t("modes.match_time")}>
      {t("modes.match_clock", { seconds })}
    </span>
  );
}

/** The accessible name of a tile. */
function nameOf(card: Flashcard, side: Tile["side"]): string {
  const text = spokenForm(card[side]) || t("modes.match_picture");
  return t(side === "question" ? "modes.match_question" : "modes.match_answer", { text });
}

interface TilesProps {
  playing: Playing;
  cards: readonly Flashcard[];
  onPress: (tile: Tile) => void;
}

function Tiles({ playing, cards, onPress }: TilesProps) {
  const { round, last } = playing;
  const held = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards]);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => grid.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  // The focused tile was removed: focus the next remaining one.
  useEffect(() => {
    if (last?.outcome === "found" && !grid.current?.contains(document.activeElement))
      grid.current?.querySelector<HTMLElement>("button:not([disabled])")?.focus({ preventScroll: true });
  }, [last]);
  return (
    <div className="match">
      <h1 className="visually-hidden">{t("modes.match_intro")}</h1>
      <p className="visually-hidden" role="status">
        {said(last, held)}
      </p>
      <div
        ref={grid}
        className="match-tiles"
        role="group"
        aria-label={t("modes.match_pairs")}
        onKeyDown={(event) => moveFocus(event, grid.current)}
      >
        {round.tiles.map((tile) => {
          const card = held.get(tile.cardId);
          const isFound = round.found.has(tile.cardId);
          return (
            card && (
              <button
                key={tile.id}
                type="button"
                className="match-tile"
                data-side={tile.side}
                aria-label={nameOf(card, tile.side)}
                aria-pressed={round.chosen === tile.id}
                disabled={isFound}
                onClick={() => onPress(tile)}
              >
                <span className="match-words" dir="auto">
                  <CardSide card={card} side={tile.side} />
                </span>
              </button>
            )
          );
        })}
      </div>
      <p className="match-note">{last?.outcome === "wrong" && t("modes.match_wrong")}</p>
    </div>
  );
}

function said(last: Playing["last"], cards: ReadonlyMap<string, Flashcard>): string {
  if (last?.outcome === "wrong") return t("modes.match_wrong");
  if (last?.outcome !== "found") return "";
  return t("modes.match_found", { text: spokenForm(cards.get(last.cardId)?.answer ?? "") });
}
