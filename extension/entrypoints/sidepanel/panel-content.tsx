import { Activity, useCallback, useState } from "react";
import { type Citation, citationAddress, parseCitation } from "#shared/citations.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import type { LedgerSource, ResearchCitation } from "#shared/research/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { CapturesPanel } from "#extension/capture/panel/captures-panel.tsx";
import {
  captureActivePage,
  readSelectedText,
  seekInActiveTab,
  showPassage,
} from "#extension/capture/panel/show-source.ts";
import { countWaiting } from "#extension/capture/state.ts";
import { readServer, readSetting } from "#extension/app/settings-store.ts";
import { DuePanel } from "#extension/library/due-panel.tsx";
import { LibraryPagePanel } from "#extension/library/library-page-panel.tsx";
import { addressOf, updateDeckCounts } from "#extension/library/store.ts";
import { openTab } from "#extension/platform/pages.ts";
import { useActiveTab } from "#extension/platform/use-active-tab.ts";
import { ResearchPanel } from "#extension/research/research-panel.tsx";
import { StudyPanel } from "#extension/study/study-panel.tsx";
import type { DeckRef } from "#extension/study/study-session.ts";
import type { CapturedSubject } from "#extension/tutor/conversations.ts";
import { TutorPanel } from "#extension/tutor/tutor-panel.tsx";

const readAccountId = async () => (await readSetting("account"))?.accountId ?? "";

/** Shows a card's source in the active tab if it came from a page, or else in the web app. */
async function showCard({ id, citation }: Flashcard): Promise<void> {
  const cited = parseCitation(citation ?? "");
  if (!cited) return;
  const address = await addressOf(await readAccountId(), id);
  if (cited.type === "web_citation" && address !== undefined) return showPassage(address, { quote: cited.quote ?? "" });
  await openCitation(cited);
}

async function openCitation(cited: Citation): Promise<void> {
  const path = citationAddress(cited);
  if (path !== undefined) await openTab(`${await readServer()}${path}`);
}

/** Shows a citation in the active tab, in its video, or in the web app's viewer. */
async function showCitation({ address }: CapturedSubject, { citation, quote }: AnswerCitation): Promise<void> {
  const cited = parseCitation(citation);
  if (!cited) return;
  if (cited.type === "video_citation" && (await seekInActiveTab(address, cited.startMs))) return;
  if (cited.type === "pdf_citation" || cited.type === "video_citation") return openCitation(cited);
  await showPassage(address, { quote });
}

const openSession = async (id: string): Promise<void> => {
  await openTab(`${await readServer()}${screenPath("researchSession", { id })}`);
};

/** Shows a citation of a session in the web app's viewer, on its web page, or in the session. */
async function showResearchCitation(
  { citation, quote }: ResearchCitation,
  { url }: LedgerSource,
  sessionId: string,
): Promise<void> {
  const cited = parseCitation(citation ?? "");
  if (cited && citationAddress(cited) !== undefined) return openCitation(cited);
  if (url !== null && /^https?:/.test(url)) return showPassage(url, { quote });
  await openSession(sessionId);
}

const updateCounts = async (componentId: string, counts: { due: number; fresh: number }) =>
  updateDeckCounts(await readAccountId(), componentId, counts);

/** The panel's content; a study session replaces all of it, but text that is being written stays. */
export function PanelContent({ isConnected }: { isConnected: boolean }) {
  const tab = useActiveTab();
  const [studiedDecks, setStudiedDecks] = useState<readonly DeckRef[]>();
  const leave = useCallback(() => setStudiedDecks(undefined), []);
  return (
    <>
      {studiedDecks && (
        <StudyPanel decks={studiedDecks} onLeave={leave} showCard={showCard} saveCounts={updateCounts} />
      )}
      <Activity mode={studiedDecks ? "hidden" : "visible"}>
        <LibraryPagePanel tab={tab} isConnected={isConnected} countWaiting={countWaiting} study={setStudiedDecks} />
        <CapturesPanel>
          {isConnected && (
            <TutorPanel
              tab={tab}
              capturePage={captureActivePage}
              readSelection={readSelectedText}
              show={showCitation}
            />
          )}
          {isConnected && <DuePanel study={setStudiedDecks} />}
          <ResearchPanel
            isConnected={isConnected}
            readSelection={readSelectedText}
            openCitation={showResearchCitation}
            openSession={openSession}
          />
        </CapturesPanel>
      </Activity>
    </>
  );
}
