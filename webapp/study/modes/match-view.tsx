import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { minDefined } from "#shared/study/deck/match-time.ts";
import {
  countPairs,
  listMatchable,
  MAX_TILE_CHARS,
  startMatch,
  pairsLeft,
  pressTile,
  type MatchOutcome,
  type MatchRound,
  type Tile,
} from "#shared/study/match.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { KeyHint } from "#shared/ui/kbd.tsx";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { toSpokenText } from "../speech.ts";
import { StudyFrame } from "../study-frame.tsx";
import type { ModeProps } from "../study-mode.ts";
import { useModeKeys } from "../use-mode-keys.ts";
import { readBestMatch, saveBestMatch } from "./best-match.ts";
import { EmptyBucket } from "../parts/empty-bucket.tsx";
import { formatMatchTime, MatchEnd, type MatchResult } from "../parts/match-end.tsx";
import { moveTileFocus } from "./tile-focus.ts";
import "./match-view.css";

interface MatchGame {
  round: MatchRound;
  startedAt: number;
  last: { outcome: MatchOutcome; cardId: string } | null;
}

/** A game of pairing questions and answers against the clock. It does not grade cards. */
export function MatchView(props: ModeProps) {
  const { deck, inBucket, modeBar, leave } = props;
  const [game, setGame] = useState<MatchGame | null>(null);
  const [result, setResult] = useState<MatchResult | null>(null);
  const { bestMs, addTime } = useBestTime(deck.componentId);
  const start = () => {
    const round = startMatch(inBucket, Math.random);
    if (!round) return;
    setResult(null);
    setGame({ round, startedAt: performance.now(), last: null });
  };
  const press = (tile: Tile) => {
    const pressResult = game && pressTile(game.round, tile.id);
    if (!pressResult) return;
    const { round, outcome } = pressResult;
    if (pairsLeft(round) > 0) return setGame({ ...game, round, last: { outcome, cardId: tile.cardId } });
    const durationMs = performance.now() - game.startedAt;
    const { misses, mixedUp } = round;
    setGame(null);
    setResult({ durationMs, misses, bestMs, mixedUp: inBucket.filter(({ id }) => mixedUp.has(id)) });
    addTime(durationMs);
  };
  useModeKeys({ Escape: leave });
  if (inBucket.length === 0) return <EmptyBucket {...props} />;
  const total = game ? game.round.tiles.length / 2 : 0;
  const progress = game && {
    value: game.round.matched.size,
    max: total,
    valueText: t("modes.match_left", { count: pairsLeft(game.round) }),
  };
  return (
    <StudyFrame
      deck={deck}
      modeBar={modeBar}
      onLeave={leave}
      progress={progress ?? undefined}
      headerEnd={game && <MatchClock startedAt={game.startedAt} />}
    >
      {game && <Tiles game={game} cards={props.cards} onPress={press} />}
      {!game && result && <MatchEnd result={result} onAgain={start} />}
      {!game && !result && <StartView {...props} bestMs={bestMs} onStart={start} />}
    </StudyFrame>
  );
}

/** The best time of this deck; null if there is none. */
function useBestTime(componentId: string) {
  const [bestMs, setBestMs] = useState<number | null>(null);
  useEffect(() => {
    let isClosed = false;
    const load = async () => {
      const stored = await readBestMatch(componentId);
      // A round may have ended while the time was being read.
      if (!isClosed) setBestMs((known) => minDefined(known ?? undefined, stored ?? undefined) ?? null);
    };
    void load();
    return () => {
      isClosed = true;
    };
  }, [componentId]);
  const addTime = (durationMs: number) => {
    if (bestMs !== null && bestMs <= durationMs) return;
    setBestMs(durationMs);
    void saveBestMatch(componentId, durationMs);
  };
  return { bestMs, addTime };
}

interface StartProps extends Pick<ModeProps, "cards" | "inBucket" | "bucket" | "studyAllCards"> {
  bestMs: number | null;
  onStart: () => void;
}

function StartView({ cards, inBucket, bucket, studyAllCards, bestMs, onStart }: StartProps) {
  const matchable = useMemo(() => listMatchable(inBucket).length, [inBucket]);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  const pairs = countPairs(matchable);
  if (pairs === 0) {
    const action = bucket !== "all" && (
      <Button variant="primary" onClick={studyAllCards}>
        {t("modes.study_all", { count: cards.length })}
      </Button>
    );
    return (
      <EmptyState headingLevel={1} title={t("modes.match_few_title")} {...(action && { action })}>
        {t("modes.match_few_text", { max: MAX_TILE_CHARS })}{" "}
        {t("modes.match_few_count", { count: inBucket.length, fitting: matchable })}
      </EmptyState>
    );
  }
  return (
    <section className="match-begin">
      <h1 className="study-end-title">{t("modes.match_intro")}</h1>
      <p className="match-about">{t("modes.match_about", { pairs, count: matchable })}</p>
      <dl className="match-best">
        <dt>{t("modes.match_best")}</dt>
        <dd>{bestMs === null ? t("modes.match_no_best") : formatMatchTime(bestMs)}</dd>
      </dl>
      <Button ref={button} variant="primary" size="l" onClick={onStart}>
        {t("modes.match_start")}
        <KeyHint>↵</KeyHint>
      </Button>
    </section>
  );
}

/** Whole seconds only, to avoid flicker. */
function MatchClock({ startedAt }: { startedAt: number }) {
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
function tileName(card: Flashcard, side: Tile["side"]): string {
  const text = toSpokenText(card[side]) || t("modes.match_picture");
  return t(side === "question" ? "modes.match_question" : "modes.match_answer", { text });
}

interface TilesProps {
  game: MatchGame;
  cards: readonly Flashcard[];
  onPress: (tile: Tile) => void;
}

function Tiles({ game, cards, onPress }: TilesProps) {
  const { round, last } = game;
  const cardsById = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards]);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => grid.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  // If the focused tile was removed, focuses the first remaining tile.
  useEffect(() => {
    if (last?.outcome === "found" && !grid.current?.contains(document.activeElement))
      grid.current?.querySelector<HTMLElement>("button:not([disabled])")?.focus({ preventScroll: true });
  }, [last]);
  return (
    <div className="match">
      <h1 className="visually-hidden">{t("modes.match_intro")}</h1>
      <p className="visually-hidden" role="status">
        {describeLastPress(last, cardsById)}
      </p>
      <div
        ref={grid}
        className="match-tiles"
        role="group"
        aria-label={t("modes.match_pairs")}
        onKeyDown={(event) => moveTileFocus(event, grid.current)}
      >
        {round.tiles.map((tile) => {
          const card = cardsById.get(tile.cardId);
          const isFound = round.matched.has(tile.cardId);
          return (
            card && (
              <button
                key={tile.id}
                type="button"
                className="match-tile"
                data-side={tile.side}
                aria-label={tileName(card, tile.side)}
                aria-pressed={round.chosen === tile.id}
                disabled={isFound}
                onClick={() => onPress(tile)}
              >
                <span className="match-words" dir="auto">
                  {tile.side === "question" && <SectionLine card={card} />}
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

function describeLastPress(last: MatchGame["last"], cards: ReadonlyMap<string, Flashcard>): string {
  if (last?.outcome === "wrong") return t("modes.match_wrong");
  if (last?.outcome !== "found") return "";
  return t("modes.match_found", { text: toSpokenText(cards.get(last.cardId)?.answer ?? "") });
}
