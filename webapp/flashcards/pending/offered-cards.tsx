import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import {
  acceptOfferedCards,
  adoptPendingCards,
  deleteOfferedCards,
  offeredCardsAtom,
  postponeOfferedCards,
} from "./adopt-pending-cards.ts";
import type { PendingSet } from "./pending-sets.ts";
import "./offered-cards.css";

function accept(set: PendingSet): void {
  acceptOfferedCards(set).catch((error: unknown) => {
    // The set is still stored and is offered again.
    logWarning("The cards of a free tool could not be added", error);
    notify({ message: t("flashcards.from_tool_failed"), type: "error" });
  });
}

/**
 * Takes over cards of free tools, and asks whether those that somebody made in this browser before signing in belong in
 * this account.
 */
export function OfferedCards() {
  const sets = useAtomValue(offeredCardsAtom);
  useEffect(() => {
    // If this fails, the cards stay in the browser and the next visit tries again.
    adoptPendingCards().catch((error: unknown) =>
      logWarning("The cards of a free tool could not be taken over", error),
    );
  }, []);
  if (sets.length === 0) return null;
  return (
    <Dialog
      open
      title={t("flashcards.offered_title")}
      onClose={postponeOfferedCards}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
    >
      <p>{t("flashcards.offered_text")}</p>
      <ul role="list" className="offered-cards">
        {sets.map((set) => (
          <li key={set.pageId}>
            <div>
              <strong>{set.title}</strong>
              <span>
                {set.lines.length > 0
                  ? t("flashcards.offered_plan")
                  : t("flashcards.count", { count: set.cards.length })}
              </span>
            </div>
            <Button
              variant="quiet"
              aria-label={t("flashcards.offered_delete_label", { title: set.title })}
              onClick={() => deleteOfferedCards(set)}
            >
              {t("flashcards.offered_delete")}
            </Button>
            <Button
              variant="primary"
              aria-label={t("flashcards.offered_add_label", { title: set.title })}
              onClick={() => accept(set)}
            >
              {t("flashcards.offered_add")}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
