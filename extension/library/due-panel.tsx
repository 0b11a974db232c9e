import { useEffect, useState } from "react";
import { interpolate } from "#shared/messages/interpolate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { listen } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { readSetting } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";
import { type DeckDue, listDecks, readListPosition } from "./store.ts";

const MAX_SHOWN = 20;

interface Props {
  /** Starts studying these decks in order. */
  study: (decks: readonly DeckDue[]) => void;
}

/** Decks with cards to study, most due first; undefined until the list was loaded once. */
function useDue(): readonly DeckDue[] | undefined {
  const [decks, setDecks] = useState<readonly DeckDue[]>();
  useEffect(() => {
    let isUnmounted = false;
    const read = async () => {
      const account = await readSetting("account");
      if (!account) return;
      const [found, { readAt }] = await Promise.all([
        listDecks(account.accountId),
        readListPosition(account.accountId),
      ]);
      const withCards = found.filter(({ due, fresh }) => due > 0 || fresh > 0).toSorted((a, b) => b.due - a.due);
      if (!isUnmounted && readAt > 0) setDecks(withCards);
    };
    const refresh = coalesce(read);
    refresh();
    const stop = listen("library", refresh);
    return () => {
      isUnmounted = true;
      stop();
    };
  }, []);
  return decks;
}

function formatCounts({ due, fresh }: DeckDue): string {
  if (due === 0) return interpolate(words.study_count_new, { fresh });
  return fresh === 0 ? interpolate(words.study_count_due, { due }) : interpolate(words.study_count, { due, fresh });
}

/** Shows what is due today. */
export function DuePanel({ study }: Props) {
  const decks = useDue();
  return (
    <section className="due" aria-label={words.study_title}>
      <h2>{words.study_title}</h2>
      {decks === undefined && <p className="here-note">{words.study_unknown}</p>}
      {decks?.length === 0 && <p className="here-note">{words.study_none}</p>}
      <ul role="list" className="due-decks">
        {decks?.slice(0, MAX_SHOWN).map((deck, index) => (
          <li key={deck.componentId} className="due-deck">
            <span>
              <span className="due-title">{deck.title}</span>
              <span className="here-note">{formatCounts(deck)}</span>
            </span>
            <Button
              variant="quiet"
              aria-label={interpolate(words.study_deck, { title: deck.title })}
              onClick={() => study([deck, ...decks.toSpliced(index, 1)])}
            >
              {words.study}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
