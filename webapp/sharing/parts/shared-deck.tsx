import { Layers } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { splitSectionLine } from "#shared/flashcards/section-line.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CardImage, CardText } from "#webapp/flashcards/card-text.tsx";
import { SectionLine } from "#webapp/flashcards/section-line.tsx";
import { QuestionPicture } from "#webapp/flashcards/question-picture.tsx";

/** Rendering ten thousand cards would be slow; the copy contains all of them. */
const CARDS_SHOWN = 200;

interface CardProps {
  card: Flashcard;
  toOwnFileUrls: (text: string) => string;
}

function Question({ card, toOwnFileUrls, isRevealed }: CardProps & { isRevealed: boolean }) {
  return (
    <div className="shared-question">
      <SectionLine card={card} />
      <CardText text={toOwnFileUrls(splitSectionLine(card).question)} />
      <QuestionPicture
        card={{ ...card, questionImage: card.questionImage && toOwnFileUrls(card.questionImage) }}
        isRevealed={isRevealed}
      />
    </div>
  );
}

const Answer = ({ card, toOwnFileUrls }: CardProps) => (
  <div className="shared-card-answer">
    <CardText text={toOwnFileUrls(card.answer)} />
    <CardImage address={card.answerImage && toOwnFileUrls(card.answerImage)} />
  </div>
);

interface StudyProps {
  cards: readonly Flashcard[];
  toOwnFileUrls: (text: string) => string;
  onEnd: () => void;
}

/** Shows the cards one after the other, for anyone. No answer is stored. */
function SharedStudy({ cards, toOwnFileUrls, onEnd }: StudyProps) {
  const [index, setIndex] = useState(0);
  const [isRevealed, setRevealed] = useState(false);
  const card = cards[index];
  const goOn = () => {
    setRevealed(false);
    setIndex(index + 1);
  };
  return (
    <div className="shared-study">
      {card ? (
        <>
          <p className="shared-deck-count">{t("sharing.study_count", { at: index + 1, count: cards.length })}</p>
          <div className="shared-study-card" aria-live="polite" dir="auto">
            <Question card={card} toOwnFileUrls={toOwnFileUrls} isRevealed={isRevealed} />
            {isRevealed && <Answer card={card} toOwnFileUrls={toOwnFileUrls} />}
          </div>
        </>
      ) : (
        <p role="status">{t("sharing.study_done")}</p>
      )}
      <p className="shared-study-actions">
        {/* One button for both actions, so that it keeps the focus. */}
        {card && (
          <Button variant="primary" autoFocus onClick={isRevealed ? goOn : () => setRevealed(true)}>
            {t(isRevealed ? "sharing.study_next" : "sharing.study_show")}
          </Button>
        )}
        {/* After the last card, a new key mounts this button again to take over the focus of the removed button. */}
        <Button key={card ? "during" : "after"} autoFocus={!card} onClick={onEnd}>
          {t("sharing.study_end")}
        </Button>
      </p>
    </div>
  );
}

interface DeckProps {
  shareId: string;
  title: string;
  cards: readonly Flashcard[];
  startsStudy: boolean;
}

export function SharedDeck({ shareId, title, cards, startsStudy }: DeckProps) {
  const [isStudying, setStudying] = useState(startsStudy);
  const [hasStudied, setHasStudied] = useState(false);
  const end = () => {
    setStudying(false);
    setHasStudied(true);
  };
  const toOwnFileUrls = (text: string) => text.replaceAll(`/v1/shared/${shareId}/files/`, "/v1/files/");
  const hiddenCount = cards.length - CARDS_SHOWN;
  return (
    <section className="shared-deck" aria-label={title}>
      <h2 dir="auto">{title}</h2>
      {isStudying ? (
        <SharedStudy cards={cards} toOwnFileUrls={toOwnFileUrls} onEnd={end} />
      ) : (
        <>
          <p className="shared-deck-head">
            <span className="shared-deck-count">{t("sharing.cards", { count: cards.length })}</span>
            {cards.length > 0 && (
              <Button icon={<Layers aria-hidden />} autoFocus={hasStudied} onClick={() => setStudying(true)}>
                {t("sharing.study")}
              </Button>
            )}
          </p>
          <ol>
            {cards.slice(0, CARDS_SHOWN).map((card) => (
              <li key={card.id} dir="auto">
                <Question card={card} toOwnFileUrls={toOwnFileUrls} isRevealed />
                <Answer card={card} toOwnFileUrls={toOwnFileUrls} />
              </li>
            ))}
          </ol>
          {hiddenCount > 0 && <p className="shared-deck-count">{t("sharing.more_cards", { count: hiddenCount })}</p>}
        </>
      )}
    </section>
  );
}
