import { TriangleAlert } from "lucide-react";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { dismissLeech } from "../session/state.ts";
import { suspendCard } from "../session/card-changes.ts";
import type { ActiveStudy } from "../session/study-view.ts";

interface Props {
  view: ActiveStudy;
  card: Flashcard;
  onRewrite: () => void;
}

/** Suggests rewriting a card that was forgotten repeatedly (a leech). */
export function LeechNotice({ view, card, onRewrite }: Props) {
  const lapses = view.schedules.get(card.id)?.lapses ?? 0;
  return (
    <section className="study-leech" role="status">
      <TriangleAlert aria-hidden size={18} />
      <div>
        <strong>{t("study.leech_title", { count: lapses })}</strong>
        <p>{card.question}</p>
        <p>{t("study.leech_text")}</p>
      </div>
      <div className="study-leech-actions">
        <Button variant="primary" onClick={onRewrite}>
          {t("study.leech_rewrite")}
        </Button>
        <Button onClick={() => void suspendCard(card.id)}>{t("study.suspend")}</Button>
        <Button variant="quiet" onClick={dismissLeech}>
          {t("study.leech_keep")}
        </Button>
      </div>
    </section>
  );
}
