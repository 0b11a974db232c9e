import { useEffect, useState } from "react";
import { fill } from "#shared/messages/fill.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { listen } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { readSetting } from "#extension/app/disk.ts";
import { words } from "#extension/words/words.ts";
import { type DeckDue, listDecks, readMark } from "./store.ts";

const MAX_SHOWN = 20;

interface Props {
  /** Starts studying these decks in order. */
  study: (decks: readonly DeckDue[]) => void;
}

/** Decks with cards to study, most due first; undefined until the list was loaded once. */
function useDue(): readonly DeckDue[] | undefined {
  const [decks, setDecks] = useState<readonly DeckDue[]>();
  useEffect(() => {
    let isLeft = false;
    const read = async () => {
      const account = await readSetting("account");
      if (!account) return;
      const [found, { readAt }] = await Promise.all([listDecks(account.accountId), readMark(account.accountId)]);
      const wanted = found.filter(({ due, fresh }) => due > 0 || fresh > 0).toSorted((a, b) => b.due - a.due);
      if (!isLeft && readAt > 0) setDecks(wanted);
    };
    const again = coalesce(read);
    again();
    const stop = listen("library", again);
    return () => {
      isLeft = true;
      stop();
    };
  }, []);
  return decks;
}

function sayCount({ due, fresh }: DeckDue): string {
  if (due === 0) return fill(words.study_count_new, { fresh });
  return fresh === 0 ? fill(words.study_count_due, { due }) : fill(words.study_count, { due, fresh });
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
        {decks?.slice(0, MAX_SHOWN).map((deck, at) => (
          <li key={deck.componentId} className="due-deck">
            <span>
              <span className="due-title">{deck.title}</span>
              <span className="here-note">{sayCount(deck)}</span>
            </span>
            <Button
              aria-label={fill(words.study_deck, { title: deck.title })}
              onClick={() => study([deck, ...decks.toSpliced(at, 1)])}
            >
              {words.study}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
