import { useAtomValue } from "jotai/react";
import { ChevronLeft, ChevronRight, Pause, Play, Shuffle, Star } from "lucide-react";
import { useMemo, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { shuffled } from "#shared/study/shuffle.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { favouritesOfDeck, toggleCardFavourites } from "#webapp/flashcards/card-favourites.ts";
import { CardSide } from "#webapp/flashcards/card-side.tsx";
import { CardSource } from "#webapp/flashcards/card-source.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { StudyFrame } from "../study-frame.tsx";
import type { ModeProps } from "../study-mode.ts";
import { useSwipe } from "../use-swipe.ts";
import { EmptyBucket } from "../parts/empty-bucket.tsx";
import { FlipSettings } from "../parts/flip-settings.tsx";
import { useAutoplay } from "./use-autoplay.ts";
import { useModeKeys } from "../use-mode-keys.ts";
import "./flip-view.css";

/** Position in a pile of cards. */
interface FlipPosition {
  index: number;
  isTurned: boolean;
}

function useFlipping(props: ModeProps) {
  const { inBucket } = props;
  // The order is fixed for the run, even if cards are starred or reviewed in the meantime.
  const [order, setOrder] = useState(() => inBucket.map((card) => card.id));
  const [isShuffled, setShuffled] = useState(false);
  const [position, setPosition] = useState<FlipPosition>({ index: 0, isTurned: false });
  const cards = useMemo(() => {
    const cardsById = new Map(props.cards.map((card) => [card.id, card]));
    return order.flatMap((id) => cardsById.get(id) ?? []);
  }, [order, props.cards]);
  const cardCount = cards.length;
  const goTo = (index: number) => setPosition({ index: Math.min(Math.max(0, index), cardCount), isTurned: false });
  const shuffle = () => {
    const ids = inBucket.map((card) => card.id);
    setOrder(isShuffled ? ids : shuffled(ids, Math.random));
    setShuffled(!isShuffled);
    setPosition({ index: 0, isTurned: false });
  };
  return {
    cards,
    card: cards[position.index],
    ...position,
    isShuffled,
    shuffle,
    flip: () => setPosition(({ index, isTurned }) => ({ index, isTurned: !isTurned })),
    next: () => goTo(position.index + 1),
    previous: () => goTo(position.index - 1),
    restart: () => goTo(0),
    /** Turns the card; if it is already turned, shows the next card. */
    advance: () =>
      position.isTurned ? goTo(position.index + 1) : setPosition({ index: position.index, isTurned: true }),
  };
}

/** Flip through cards by hand or with autoplay. */
export function FlipView(props: ModeProps) {
  const { deck, modeBar, leave } = props;
  const flipping = useFlipping(props);
  const { card, cards, index, isTurned } = flipping;
  const seconds = useAtomValue(preferencesAtom).flashcards.autoplay_interval_seconds;
  const autoplaySide = useMemo(() => card && { text: isTurned ? card.answer : card.question }, [card, isTurned]);
  const { isPlaying, toggle } = useAutoplay({ seconds, showing: autoplaySide, onAdvance: flipping.advance });
  useModeKeys({
    " ": flipping.flip,
    Enter: flipping.flip,
    ArrowRight: flipping.next,
    ArrowLeft: flipping.previous,
    ArrowUp: flipping.flip,
    ArrowDown: flipping.flip,
    p: toggle,
    f: () => card && void toggleCardFavourites(deck, new Set([card.id])),
    s: flipping.shuffle,
    Escape: leave,
  });
  if (cards.length === 0) return <EmptyBucket {...props} />;
  const positionText = t("study.position", { at: Math.min(index + 1, cards.length), total: cards.length });
  return (
    <StudyFrame
      deck={deck}
      modeBar={modeBar}
      progress={{ value: index, max: cards.length, valueText: positionText }}
      onLeave={leave}
      headerEnd={card && <FavouriteButton deck={deck} cardId={card.id} />}
      footer={<Controls flipping={flipping} isPlaying={isPlaying} onPlay={toggle} />}
    >
      <h1 className="visually-hidden">{t("modes.heading", { mode: t("modes.flip"), deck: deck.title })}</h1>
      {card ? (
        <FlipCard flipping={flipping} card={card} sources={deck.sources} isPlaying={isPlaying} />
      ) : (
        <section className="study-card flip-card">
          <h2 className="study-question">{t("modes.flip_end")}</h2>
          <Button variant="primary" size="l" onClick={flipping.restart}>
            {t("modes.flip_again")}
          </Button>
        </section>
      )}
    </StudyFrame>
  );
}

function FavouriteButton({ deck, cardId }: { deck: ModeProps["deck"]; cardId: string }) {
  const isFavourite = useAtomValue(useMemo(() => favouritesOfDeck(deck.componentId), [deck.componentId])).has(cardId);
  return (
    <IconButton
      label={t(isFavourite ? "modes.unfavourite" : "modes.favourite")}
      aria-pressed={isFavourite}
      className={isFavourite ? "flip-marked" : ""}
      icon={<Star aria-hidden />}
      onClick={() => void toggleCardFavourites(deck, new Set([cardId]))}
    />
  );
}

interface FlipCardProps {
  flipping: ReturnType<typeof useFlipping>;
  card: Flashcard;
  sources: ReadonlyMap<string, string>;
  isPlaying: boolean;
}

function FlipCard({ flipping, card, sources, isPlaying }: FlipCardProps) {
  const { index, isTurned, next, previous, flip } = flipping;
  const swipe = useSwipe({ onLeft: next, onRight: index > 0 ? previous : undefined, onTap: flip, onClick: flip });
  return (
    // A new element for each card, because the one before was moved by the finger.
    <article key={card.id} className="study-card flip-card" {...swipe}>
      <p className="flip-side">{t(isTurned ? "modes.flip_answer" : "modes.flip_question")}</p>
      {/* Autoplay is not announced to screen readers, because reading aloud is available instead. */}
      <div
        key={String(isTurned)}
        className="flip-face"
        data-turned={isTurned || undefined}
        aria-live={isPlaying ? "off" : "polite"}
      >
        <div className={isTurned ? "study-answer" : "study-question"} dir="auto">
          {!isTurned && <SectionLine card={card} />}
          <CardSide card={card} side={isTurned ? "answer" : "question"} />
        </div>
      </div>
      {isTurned && <CardSource citation={card.citation} sources={sources} />}
    </article>
  );
}

interface ControlsProps {
  flipping: ReturnType<typeof useFlipping>;
  isPlaying: boolean;
  onPlay: () => void;
}

function Controls({ flipping, isPlaying, onPlay }: ControlsProps) {
  const { index, cards, isShuffled, shuffle } = flipping;
  const isAtEnd = index >= cards.length;
  return (
    <div className="flip-controls">
      <div className="flip-autoplay">
        <Button
          variant="quiet"
          icon={isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
          disabled={isAtEnd}
          onClick={onPlay}
        >
          {t(isPlaying ? "modes.flip_pause" : "modes.flip_play")}
        </Button>
        {isPlaying && <FlipSettings />}
      </div>
      <div className="flip-buttons">
        <IconButton
          label={t("modes.flip_previous")}
          icon={<ChevronLeft aria-hidden />}
          disabled={index === 0}
          onClick={flipping.previous}
        />
        <Button variant="primary" size="l" className="flip-turn" disabled={isAtEnd} onClick={flipping.flip}>
          {t("modes.flip_card")} <Kbd>{t("common.key_space")}</Kbd>
        </Button>
        <IconButton
          label={t("modes.flip_next")}
          icon={<ChevronRight aria-hidden />}
          disabled={isAtEnd}
          onClick={flipping.next}
        />
      </div>
      <Button variant="quiet" icon={<Shuffle aria-hidden />} aria-pressed={isShuffled} onClick={shuffle}>
        {t("modes.flip_shuffle")}
      </Button>
    </div>
  );
}
