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
  /** Number of unsent captures of an address on this device. */
  countWaiting: (address: string) => Promise<number>;
  /** Starts studying these decks. */
  study: (decks: readonly DeckDue[]) => void;
  isConnected: boolean;
}

interface Known {
  url: string;
  here: Here | undefined;
  waiting: number;
}

/** What the library has for an address; updates with the list and the captures. */
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
  // Ignore the result of the previous tab.
  return known?.url === url ? known : undefined;
}

/** Asks for permission to read tab addresses; hidden once it is granted. */
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

/** Actions for the page's library content. */
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

/** Shows what the library has for the active tab, using the local list. */
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
