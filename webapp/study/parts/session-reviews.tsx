import { t } from "#shared/messages/translate.ts";
import { GRADE_NAMES } from "#shared/study/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { undoReview } from "../session/state.ts";
import type { ActiveStudy } from "../session/study-view.ts";

/** Every review of the session, newest first; each can be undone. */
export function SessionReviews({ view, onClose }: { view: ActiveStudy; onClose: () => void }) {
  const cards = new Map(view.deck.cards.map((card) => [card.id, card]));
  return (
    <Dialog open title={t("study.session_answers")} closeLabel={t("common.close")} onClose={onClose}>
      <ul role="list" className="answers-given">
        {view.session.answers.toReversed().map(({ reviewId, cardId, grade }) => (
          <li key={reviewId}>
            <span className="answers-question">{cards.get(cardId)?.question ?? t("study.deleted_card")}</span>
            <span className={`answers-grade study-grade-${GRADE_NAMES[grade]}`}>
              {t(`study.${GRADE_NAMES[grade]}`)}
            </span>
            <Button
              aria-label={t("study.undo_answer", { question: cards.get(cardId)?.question ?? t("study.deleted_card") })}
              onClick={() => void undoReview(reviewId)}
            >
              {t("study.undo")}
            </Button>
          </li>
        ))}
      </ul>
      {view.session.answers.length === 0 && <p>{t("study.no_answers")}</p>}
    </Dialog>
  );
}
