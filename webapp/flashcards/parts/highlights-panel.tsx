import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import {
  generateHighlights,
  checkHighlights,
  type DeckLocation,
  type HighlightsState,
  noHighlights,
} from "../deck/highlights.ts";
import "./deck-panels.css";

/** Renders bold, which is the only inline markup of highlights. */
const withBold = (line: string): ReactNode[] =>
  line.split(/\*\*([^*]+)\*\*/).map((part, i) => (i % 2 === 1 ? <strong key={i}>{part}</strong> : part));

function HighlightsText({ text }: { text: string }) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const items = lines.filter((line) => line.startsWith("- "));
  return (
    <>
      <ul className="highlights">
        {items.map((line) => (
          <li key={line}>{withBold(line.slice(2))}</li>
        ))}
      </ul>
      {lines
        .filter((line) => !line.startsWith("- "))
        .map((line) => (
          <p key={line}>{withBold(line)}</p>
        ))}
    </>
  );
}

function HighlightsBody({ state }: { state: HighlightsState }) {
  if (state.error)
    return (
      <div role="alert">
        <p>
          <strong>{state.error.title}</strong>
        </p>
        <p>{state.error.message}</p>
      </div>
    );
  if (state.highlights !== null && state.highlights !== "") return <HighlightsText text={state.highlights} />;
  return <p>{state.loading ? t("flashcards.highlights_writing") : t("flashcards.highlights_none")}</p>;
}

interface Props {
  deckLocation: DeckLocation;
  cards: readonly Flashcard[];
  onClose: () => void;
}

/** A short summary of the deck's main points, which is stored or newly generated. */
export function HighlightsPanel({ deckLocation, cards, onClose }: Props) {
  const [state, setState] = useState<HighlightsState>({ ...noHighlights, loading: true });
  const controller = useRef<AbortController | null>(null);
  const { pageId, flashcardsId } = deckLocation;
  useEffect(() => {
    let isOpen = true;
    void checkHighlights({ pageId, flashcardsId }).then((stored) => isOpen && setState(stored));
    return () => {
      isOpen = false;
      controller.current?.abort();
    };
  }, [pageId, flashcardsId]);
  const generate = () => {
    controller.current?.abort();
    controller.current = new AbortController();
    void generateHighlights(deckLocation, { cards, signal: controller.current.signal, show: setState });
  };
  return (
    <Dialog
      open
      title={t("flashcards.highlights")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <Button variant="primary" pending={state.loading} disabled={cards.length === 0} onClick={generate}>
          {t(state.highlights === null ? "flashcards.highlights_make" : "flashcards.highlights_again")}
        </Button>
      }
    >
      <div aria-live="polite">
        <HighlightsBody state={state} />
      </div>
    </Dialog>
  );
}
