import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { CardImage, CardText } from "../card-text.tsx";
import { QuestionPicture } from "../question-picture.tsx";
import { DeckMissing } from "../deck/deck-missing.tsx";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useTitle } from "#webapp/app/use-title.ts";
import { DeckLoadError } from "../parts/deck-load-error.tsx";
import { closeDeck, deckAtom, openDeck, type OpenDeck } from "../deck/deck-state.ts";
import "./print-screen.css";

type PrintLayout = "fold" | "cut";
/** A sheet has two columns of four cards. */
const CARDS_PER_SHEET = 8;

export function PrintScreen() {
  const { id: pageId, flashcard } = useScreenParams("printFlashcards");
  const view = useAtomValue(deckAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    void openDeck(pageId, flashcard);
    return closeDeck;
  }, [accountId, pageId, flashcard]);
  useTitle(t("flashcards.print"));
  if (view.state === "loading") return <Skeleton label={t("common.loading")} lines={[40, 90, 76]} height={22} />;
  if (view.state === "failed")
    return (
      <main className="print-screen">
        {view.reason === "missing" ? (
          <DeckMissing />
        ) : (
          <DeckLoadError onRetry={() => void openDeck(pageId, flashcard)} />
        )}
      </main>
    );
  return <Sheets deck={view} />;
}

function Sheets({ deck }: { deck: OpenDeck }) {
  const [layout, setLayout] = useState<PrintLayout>("fold");
  const cards = deck.cards.filter((card) => card.question.trim() !== "" || card.questionImage !== null);
  return (
    <main className="print-screen">
      <header className="print-head">
        <h1>{t("flashcards.print_title", { title: deck.title })}</h1>
        <Segmented
          label={t("flashcards.layout")}
          value={layout}
          options={[
            { value: "fold", label: t("flashcards.layout_fold") },
            { value: "cut", label: t("flashcards.layout_cut") },
          ]}
          onValue={setLayout}
        />
        <p>{t(layout === "fold" ? "flashcards.fold_hint" : "flashcards.cut_hint")}</p>
        <div className="print-actions">
          <Button variant="primary" disabled={cards.length === 0} onClick={() => window.print()}>
            {t("flashcards.print")}
          </Button>
          <Link to={screenPath("deck", { id: deck.pageId, slug: deck.componentId })}>{t("flashcards.to_deck")}</Link>
        </div>
      </header>
      {layout === "fold" ? <FoldSheets cards={cards} /> : <CutSheets cards={cards} />}
    </main>
  );
}

/** Cards to cut out have a fixed size, so long text gets a smaller font. */
const chooseFontSize = (text: string) =>
  text.length < 400 ? "m" : text.length < 650 ? "s" : text.length < 950 ? "xs" : "xxs";

function PrintSide({ card, side }: { card: Flashcard; side: "question" | "answer" }) {
  return (
    <div className="print-face" dir="auto" data-size={chooseFontSize(card[side])}>
      <div className="print-words">
        <CardText text={card[side]} />
      </div>
      {side === "question" ? (
        <QuestionPicture card={card} isRevealed={false} />
      ) : (
        <CardImage address={card.answerImage} />
      )}
    </div>
  );
}

/** Strips with the question beside the answer, to cut out and fold in the middle. */
function FoldSheets({ cards }: { cards: readonly Flashcard[] }) {
  return (
    <div className="print-fold">
      {cards.map((card) => (
        <div key={card.id} className="print-strip">
          <PrintSide card={card} side="question" />
          <PrintSide card={card} side="answer" />
        </div>
      ))}
    </div>
  );
}

/** Sheets of questions for two-sided printing, each followed by a sheet of its answers with the columns swapped. */
function CutSheets({ cards }: { cards: readonly Flashcard[] }) {
  const sheets = Array.from({ length: Math.ceil(cards.length / CARDS_PER_SHEET) }, (_, sheetIndex) =>
    cards.slice(sheetIndex * CARDS_PER_SHEET, (sheetIndex + 1) * CARDS_PER_SHEET),
  );
  return sheets.map((sheet) => (
    <div key={sheet[0]?.id}>
      <div className="print-sheet">
        {sheet.map((card) => (
          <PrintSide key={card.id} card={card} side="question" />
        ))}
      </div>
      <div className="print-sheet print-backs">
        {sheet.map((card) => (
          <PrintSide key={card.id} card={card} side="answer" />
        ))}
      </div>
    </div>
  ));
}
