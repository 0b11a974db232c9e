import { forgetWeakOutcomes, rememberWeakOutcome } from "#api/store/figures/card-outcomes.ts";
import { findFormsOfNewCards } from "#api/store/figures/made-cards.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { getPreferences } from "#api/user/service.ts";
import { type CardKey, listGrades } from "./store.ts";

const AGAIN = 1;
/** A new card is often forgotten once or twice. */
const MIN_ANSWERS = 3;

const isForgotten = (grades: readonly number[]) =>
  grades.length >= MIN_ANSWERS && grades.every((grade) => grade === AGAIN);

interface NewCards {
  deckId: string;
  cardIds: ReadonlySet<string>;
}

/** The cards, of one deck, of which at least three answers are known and all were "Again". */
async function findForgotten({ own }: Pick<UserCtx, "own">, { deckId, cardIds }: NewCards): Promise<Set<string>> {
  const gradesByCard = new Map<string, number[]>();
  for (const { cardId, grade } of await listGrades(own, deckId, [...cardIds]))
    gradesByCard.set(cardId, [...(gradesByCard.get(cardId) ?? []), grade]);
  return new Set([...gradesByCard].flatMap(([cardId, grades]) => (isForgotten(grades) ? cardId : [])));
}

/**
 * Remembers the form of generated cards of the last 14 days that the student only ever forgets, until one is known: the
 * next deck has fewer of that form.
 */
export async function rememberForgottenCards(
  ctx: Pick<UserCtx, "own" | "clock">,
  cards: readonly CardKey[],
): Promise<void> {
  const { own } = ctx;
  const now = ctx.clock.now();
  for (const deckId of new Set(cards.map(({ componentId }) => componentId))) {
    const answered = new Set(cards.flatMap(({ componentId, cardId }) => (componentId === deckId ? cardId : [])));
    const forms = await findFormsOfNewCards(own, { deckId, cardIds: answered, now });
    if (forms.size === 0 || !(await getPreferences(own)).flashcards.learn_from_edits) continue;
    const forgotten = await findForgotten(ctx, { deckId, cardIds: new Set(forms.keys()) });
    for (const [cardId, form] of forms)
      if (forgotten.has(cardId)) await rememberWeakOutcome(own, { outcome: "forgotten", cardId, form, at: now });
    await forgetWeakOutcomes(
      own,
      "forgotten",
      [...forms.keys()].filter((cardId) => !forgotten.has(cardId)),
    );
  }
}
