import { type ReactNode, useEffect, useState } from "react";
import { screenPath } from "#shared/screens.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { listen } from "#extension/app/channel.ts";
import { coalesce } from "#extension/app/coalesce.ts";
import { describeInaccessible } from "#extension/platform/inaccessible-pages.ts";
import { readServer } from "#extension/app/settings-store.ts";
import { words } from "#extension/words/words.ts";
import { openTab } from "#extension/platform/pages.ts";
import {
  requestTabAccess,
  canReadFiles,
  hasTabAccess,
  onPermissionChange,
  type ShownTab,
} from "#extension/platform/tabs.ts";
import {
  type LibraryPage,
  findLibraryPage,
  formatDueCount,
  formatWaitingCount,
  formatContents,
} from "./library-page.ts";
import type { DeckDue } from "./store.ts";
import "./library-page-panel.css";

interface Props {
  tab: ShownTab | undefined;
  /** Number of unsent captures of an address on this device. */
  countWaiting: (address: string) => Promise<number>;
  /** Starts studying these decks. */
  study: (decks: readonly DeckDue[]) => void;
  isConnected: boolean;
}

interface TabInLibrary {
  url: string;
  page: LibraryPage | undefined;
  waiting: number;
}

/** What the library has for an address; updates with the list and the captures. */
function useLibraryPage(url: string | undefined, countWaiting: Props["countWaiting"]): TabInLibrary | undefined {
  const [current, setCurrent] = useState<TabInLibrary>();
  useEffect(() => {
    if (url === undefined) return undefined;
    let isUnmounted = false;
    const read = async () => {
      const [page, waiting] = await Promise.all([findLibraryPage(url), countWaiting(url)]);
      if (!isUnmounted) setCurrent({ url, page, waiting });
    };
    const refresh = coalesce(read);
    refresh();
    const stops = [listen("library", refresh), listen("captures", refresh), listen("account", refresh)];
    return () => {
      isUnmounted = true;
      for (const stop of stops) stop();
    };
  }, [url, countWaiting]);
  // Ignore the result of the previous tab.
  return current?.url === url ? current : undefined;
}

/** Asks for permission to read tab addresses; hidden once it is granted. */
function TabAccessPrompt() {
  const [isAllowed, setAllowed] = useState<boolean>();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    const read = () => void hasTabAccess().then(setAllowed);
    read();
    return onPermissionChange(read);
  }, []);
  if (isAllowed !== false) return null;
  return (
    <details className="here-follow">
      <summary>{words.follow}</summary>
      <p>{words.follow_text}</p>
      <p role="status">{isRefused && words.follow_refused}</p>
      <Button onClick={() => void requestTabAccess().then((isGranted) => setRefused(!isGranted))}>
        {words.follow}
      </Button>
    </details>
  );
}

type LibraryContentsProps = TabInLibrary & Pick<Props, "study" | "isConnected">;

function LibraryContents({ page, waiting, study, isConnected }: LibraryContentsProps): ReactNode {
  const contents = page ? formatContents(page) : "";
  return (
    <>
      {(contents !== "" || isConnected) && (
        <p>{contents === "" ? words.here_none : interpolate(words.here_some, { what: contents })}</p>
      )}
      {page !== undefined && page.due > 0 && (
        <p>
          <span className="lit">{formatDueCount(page.due)}</span>
        </p>
      )}
      {waiting > 0 && <p className="here-note">{formatWaitingCount(waiting)}</p>}
      {page && <LibraryActions page={page} study={study} />}
    </>
  );
}

/** Actions for the page's library content. */
function LibraryActions({ page: { decks, pageId }, study }: { page: LibraryPage } & Pick<Props, "study">): ReactNode {
  if (pageId === null) return null;
  const dueDecks = decks.filter(({ due, fresh }) => due > 0 || fresh > 0);
  return (
    <div className="here-actions">
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
export function LibraryPagePanel({ tab, countWaiting, study, isConnected }: Props) {
  const current = useLibraryPage(tab?.url, countWaiting);
  const [hasFileAccess, setFileAccess] = useState(false);
  useEffect(() => void canReadFiles().then(setFileAccess), []);
  const closedReason =
    tab?.url === undefined ? undefined : describeInaccessible(tab.url, { canReadFiles: hasFileAccess });
  return (
    <section className="here" aria-label={words.here_title}>
      <h2 className="here-name">{tab?.title || words.here_title}</h2>
      <div role="status" className="here-status">
        {closedReason !== undefined && <p>{closedReason}</p>}
        {tab !== undefined && tab.url === undefined && <p className="here-note">{words.here_unknown}</p>}
        {closedReason === undefined && current && (
          <LibraryContents {...current} study={study} isConnected={isConnected} />
        )}
      </div>
      <TabAccessPrompt />
    </section>
  );
}
