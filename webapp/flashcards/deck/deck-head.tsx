import { Link } from "@tanstack/react-router";
import { ArrowLeft, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { citedComponentId } from "#shared/citations.ts";
import { DEFAULT_DECK_TITLE } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { InnerLink } from "#webapp/app/inner-link.tsx";
import { STUDY_MODES } from "#webapp/study/study-mode.ts";
import { SidebarButton } from "#webapp/ui/sidebar/sidebar-button.tsx";
import { renameDeck, type OpenDeck } from "./deck-state.ts";

interface Props {
  deck: OpenDeck;
  /** The number of cards to review today; undefined until it is known. */
  due: number | undefined;
  onAdd: () => void;
  /** The deck's menu. */
  children: ReactNode;
}

/** A link to the deck's page, the deck's title and count, and its actions. */
export function DeckHead({ deck, due = 0, onAdd, children }: Props) {
  const study = screenPath("study", { id: deck.pageId, flashcard: deck.componentId });
  return (
    <header>
      <div className="deck-screen-crumb">
        <SidebarButton />
        <Link className="deck-screen-back" to={screenPath("page", { id: deck.pageId })}>
          <ArrowLeft aria-hidden size={16} />
          {deck.pageTitle || t("common.untitled")}
        </Link>
      </div>
      <div className="deck-screen-head">
        <div className="deck-screen-name">
          <h1 className="visually-hidden">{deck.title}</h1>
          <input
            className="deck-screen-title"
            dir="auto"
            aria-label={t("flashcards.deck_title")}
            value={deck.title}
            maxLength={500}
            onChange={(event) => renameDeck(event.target.value)}
            onBlur={(event) => event.target.value.trim() === "" && renameDeck(DEFAULT_DECK_TITLE)}
          />
          <p className="deck-screen-count">{describeCards(deck)}</p>
        </div>
        <div className="deck-screen-actions">
          <nav className="deck-screen-modes" aria-label={t("modes.modes")}>
            {STUDY_MODES.filter((mode) => mode !== "learn").map((mode) => (
              <InnerLink key={mode} className="button button-quiet" to={`${study}?mode=${mode}`}>
                {t(`modes.${mode}`)}
              </InnerLink>
            ))}
          </nav>
          <Button onClick={onAdd}>
            <Plus aria-hidden size={16} />
            <span className="deck-screen-add">{t("flashcards.add")}</span>
          </Button>
          <Link className="button button-primary" to={study}>
            {t("flashcards.study")}
            {due > 0 && <span className="deck-screen-due">{t("flashcards.due", { count: due })}</span>}
          </Link>
          {children}
        </div>
      </div>
    </header>
  );
}

/** "30 cards", with the document or video if all cards cite the same source. */
function describeCards({ cards, sources }: OpenDeck): string {
  const [cited = "", other] = new Set(cards.map(({ citation }) => citedComponentId(citation) ?? ""));
  const source = other === undefined ? sources.get(cited) : undefined;
  const count = cards.length;
  return source === undefined ? t("flashcards.count", { count }) : t("flashcards.count_from", { count, source });
}
