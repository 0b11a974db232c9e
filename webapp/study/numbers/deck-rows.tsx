import { Link } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { countToday } from "#shared/study/all-due.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Progress } from "#shared/ui/meter.tsx";
import { useTodayOptions } from "../use-today-options.ts";

/** What each deck has today, and how many of its cards were studied; the deck with most to do comes first. */
export function DeckRows({ decks }: { decks: readonly DueDeck[] }) {
  const options = useTodayOptions();
  const rows = decks
    .filter(({ total }) => total > 0)
    .map((deck) => {
      const { due = 0, planned = 0, fresh = 0 } = countToday(deck, options) ?? {};
      return { deck, due: due + planned, fresh };
    })
    .toSorted((a, b) => b.due - a.due || b.fresh - a.fresh);
  return (
    <section>
      <h2>{t("planning.decks")}</h2>
      <ul role="list" className="numbers-decks">
        {rows.map(({ deck, due, fresh }) => {
          const { componentId, pageId, title, total } = deck;
          const studied = total - deck.fresh;
          const studiedText = t("planning.deck_studied", { studied, count: total });
          return (
            <li key={componentId}>
              <Link to={screenPath("deck", { id: pageId, slug: componentId })} dir="auto">
                {title}
              </Link>
              <span className="numbers-deck-today">
                {due > 0 && <strong>{t("planning.deck_due", { count: due })}</strong>}
                {fresh > 0 && <span>{t("planning.deck_new", { count: fresh })}</span>}
                {due + fresh === 0 && <span>{t("planning.deck_done")}</span>}
              </span>
              <span className="numbers-deck-studied">
                <Progress label={title} value={studied} max={total} valueText={studiedText} />
                <span aria-hidden>{studiedText}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
