import { type ReactNode, useEffect, useState } from "react";
import { screenPath } from "#shared/screens.ts";
import { fill } from "#shared/messages/fill.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { listen } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { whyClosed } from "#extension/platform/closed-pages.ts";
import { readServer } from "#extension/app/disk.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import { askToFollow, canReadFiles, mayFollow, onPermissions, type ShownTab } from "#extension/platform/tabs.ts";
import { type Here, lookUp, sayDue, sayWaiting, sayWhat } from "./here.ts";
import type { DeckDue } from "./store.ts";
import "./here-panel.css";

interface Props {
  tab: ShownTab | undefined;
  /** How many captures of an address wait for the server on this device. */
  countWaiting: (address: string) => Promise<number>;
  /** Begins to study these decks. */
  study: (decks: readonly DeckDue[]) => void;
  isConnected: boolean;
}

interface Known {
  url: string;
  here: Here | undefined;
  waiting: number;
}

/** What is known of an address, again whenever the list or the captures change. */
function useHere(url: string | undefined, countWaiting: Props["countWaiting"]): Known | undefined {
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    if (url === undefined) return undefined;
    let isLeft = false;
    const read = async () => {
      const [here, waiting] = await Promise.all([lookUp(url), countWaiting(url)]);
      if (!isLeft) setKnown({ url, here, waiting });
    };
    const again = coalesce(read);
    again();
    const stops = [listen("library", again), listen("captures", again), listen("account", again)];
    return () => {
      isLeft = true;
      for (const stop of stops) stop();
    };
  }, [url, countWaiting]);
  // What was known of the tab before says nothing of this one.
  return known?.url === url ? known : undefined;
}

/** Asks for the addresses of tabs with the reason beside it; nothing is shown while they are allowed. */
function Follow() {
  const [isAllowed, setAllowed] = useState<boolean>();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const read = () => void mayFollow().then(setAllowed);
    read();
    return onPermissions(read);
  }, []);
  if (isAllowed !== false) return null;
  return (
    <details className="here-follow">
      <summary>{words.follow}</summary>
      <p>{words.follow_text}</p>
      <p role="status">{isRefused && words.follow_refused}</p>
      <Button onClick={() => void askToFollow().then((may) => setRefused(!may))}>{words.follow}</Button>
    </details>
  );
}

type FoundProps = Known & Pick<Props, "study" | "isConnected">;

function Found({ here, waiting, study, isConnected }: FoundProps): ReactNode {
  const what = here ? sayWhat(here) : "";
  return (
    <>
      {(what !== "" || isConnected) && <p>{what === "" ? words.here_none : fill(words.here_some, { what })}</p>}
      {here !== undefined && here.due > 0 && (
        <p>
          <span className="lit">{sayDue(here.due)}</span>
        </p>
      )}
      {waiting > 0 && <p className="here-note">{sayWaiting(waiting)}</p>}
      {here && <Ways here={here} study={study} />}
    </>
  );
}

/** What can be done with what is there. */
function Ways({ here: { decks, pageId }, study }: { here: Here } & Pick<Props, "study">): ReactNode {
  if (pageId === null) return null;
  const dueDecks = decks.filter(({ due, fresh }) => due > 0 || fresh > 0);
  return (
    <div className="here-does">
      {dueDecks.length > 0 && <Button onClick={() => study(dueDecks)}>{words.here_study}</Button>}
      <Button variant="quiet" onClick={() => void openPage(pageId)}>
        {words.here_open}
      </Button>
    </div>
  );
}

async function openPage(pageId: string): Promise<void> {
  await openTab(`${await readServer()}${screenPath("page", { id: pageId })}`);
}

/** What of the page beside the panel is in the library, by the list on this device. */
export function HerePanel({ tab, countWaiting, study, isConnected }: Props) {
  const known = useHere(tab?.url, countWaiting);
  const [mayReadFiles, setMayReadFiles] = useState(false);
  useEffect(() => void canReadFiles().then(setMayReadFiles), []);
  const closed = tab?.url === undefined ? undefined : whyClosed(tab.url, { mayReadFiles });
  return (
    <section className="here" aria-label={words.here_title}>
      <h2 className="here-name">{tab?.title || words.here_title}</h2>
      <div role="status" className="here-said">
        {closed !== undefined && <p>{closed}</p>}
        {tab !== undefined && tab.url === undefined && <p className="here-note">{words.here_unknown}</p>}
        {closed === undefined && known && <Found {...known} study={study} isConnected={isConnected} />}
      </div>
      <Follow />
    </section>
  );
}
