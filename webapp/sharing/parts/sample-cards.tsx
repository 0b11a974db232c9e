import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { ItemExcerpt } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CardText } from "#webapp/flashcards/card-text.tsx";

interface Props extends Pick<ItemExcerpt, "samples" | "cards"> {
  title: string;
}

/** The first cards of a deck, one at a time. The first card follows the last. */
export function SampleCards({ samples, cards, title }: Props) {
  const [index, setIndex] = useState(0);
  const [isRevealed, setRevealed] = useState(false);
  const card = samples[index];
  if (!card) return null;
  const advance = () => {
    setRevealed(!isRevealed);
    if (isRevealed) setIndex((index + 1) % samples.length);
  };
  return (
    <section className="sample-card" aria-label={t("sharing.sample_cards", { title })}>
      <p className="sample-card-count">{t("sharing.study_count", { at: index + 1, count: cards })}</p>
      <div className="sample-card-sides" aria-live="polite" dir="auto">
        <div className="sample-card-question">
          <CardText text={card.question} />
        </div>
        {isRevealed && (
          <div className="sample-card-answer">
            <CardText text={card.answer} />
          </div>
        )}
      </div>
      <Button variant="quiet" onClick={advance}>
        {t(isRevealed ? (samples.length > 1 ? "sharing.study_next" : "sharing.sample_hide") : "sharing.study_show")}
      </Button>
    </section>
  );
}
