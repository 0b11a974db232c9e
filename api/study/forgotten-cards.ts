import { groupBy } from "#shared/pages/rules.ts";
import { forgetWeakOutcomes, recordWeakOutcome } from "#api/store/figures/card-outcomes.ts";
import { findFormsOfNewCards } from "#api/store/figures/made-cards.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { getPreferences } from "#api/user/service.ts";
import { type CardKey, listGrades } from "./store.ts";

const AGAIN = 1;
/** A new card is often forgotten once or twice. */
const MIN_ANSWERS = 3;

const isForgotten = (answers: readonly { grade: number }[]) =>
  answers.length >= MIN_ANSWERS && answers.every(({ grade }) => grade === AGAIN);

/**
 * Remembers the forms of generated cards of the last 14 days that the student always forgets, so that the next deck has
 * fewer cards of these forms. A card is no longer remembered once the student knows it.
 */
export async function rememberForgottenCards(
  ctx: Pick<UserCtx, "own" | "clock">,
  cards: readonly CardKey[],
): Promise<void> {
  const { own } = ctx;
  const now = ctx.clock.now();
  for (const [deckId, answered] of groupBy(cards, ({ componentId }) => componentId)) {
    const cardIds = new Set(answered.map(({ cardId }) => cardId));
    const forms = await findFormsOfNewCards(own, { deckId, cardIds, now });
    if (forms.size === 0 || !(await getPreferences(own)).flashcards.learn_from_edits) continue;
    const answersOf = groupBy(await listGrades(own, deckId, [...forms.keys()]), ({ cardId }) => cardId);
    const known: string[] = [];
    for (const [cardId, form] of forms)
      if (isForgotten(answersOf.get(cardId) ?? []))
        await recordWeakOutcome(own, { outcome: "forgotten", cardId, form, at: now });
      else known.push(cardId);
    await forgetWeakOutcomes(own, "forgotten", known);
  }
}
