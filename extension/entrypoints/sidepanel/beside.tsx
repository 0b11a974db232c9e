import { useCallback, useState } from "react";
import { type Citation, citationAddress, parseCitation } from "#shared/citations.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { CapturesPanel } from "#extension/capture/panel/captures-panel.tsx";
import { keepPageBeside, readMarked, seekBeside, showPassage } from "#extension/capture/panel/showing.ts";
import { countWaiting } from "#extension/capture/state.ts";
import { readServer, readSetting } from "#extension/app/disk.ts";
import { DuePanel } from "#extension/library/due-panel.tsx";
import { HerePanel } from "#extension/library/here-panel.tsx";
import { addressOf, countDeck } from "#extension/library/store.ts";
import { openTab } from "#extension/platform/pages.ts";
import { useTab } from "#extension/platform/use-tab.ts";
import { StudyPanel } from "#extension/study/study-panel.tsx";
import type { DeckName } from "#extension/study/studying.ts";
import type { KeptPage } from "#extension/tutor/talks.ts";
import { TutorPanel } from "#extension/tutor/tutor-panel.tsx";

const accountId = async () => (await readSetting("account"))?.accountId ?? "";

/** Shows a card's source in the active tab if it came from a page, else in the web app. */
async function showCard({ id, citation }: Flashcard): Promise<void> {
  const cited = parseCitation(citation ?? "");
  if (!cited) return;
  const address = await addressOf(await accountId(), id);
  if (cited.type === "web_citation" && address !== undefined) return showPassage(address, { quote: cited.quote ?? "" });
  await openCited(cited);
}

async function openCited(cited: Citation): Promise<void> {
  const path = citationAddress(cited);
  if (path !== undefined) await openTab(`${await readServer()}${path}`);
}

/** Shows a citation in the active tab, in its video, or in the web app's viewer. */
async function showCited({ address }: KeptPage, { citation, quote }: AnswerCitation): Promise<void> {
  const cited = parseCitation(citation);
  if (!cited) return;
  if (cited.type === "video_citation" && (await seekBeside(address, cited.startMs))) return;
  if (cited.type === "pdf_citation" || cited.type === "video_citation") return openCited(cited);
  await showPassage(address, { quote });
}

const count = async (componentId: string, counts: { due: number; fresh: number }) =>
  countDeck(await accountId(), componentId, counts);

/** The panel's content; a study session replaces the rest. */
export function Beside({ isConnected }: { isConnected: boolean }) {
  const tab = useTab();
  const [studied, setStudied] = useState<readonly DeckName[]>();
  const leave = useCallback(() => setStudied(undefined), []);
  if (studied) return <StudyPanel decks={studied} onLeave={leave} showCard={showCard} count={count} />;
  return (
    <>
      <HerePanel tab={tab} isConnected={isConnected} countWaiting={countWaiting} study={setStudied} />
      <CapturesPanel>
        {isConnected && <TutorPanel tab={tab} keepPage={keepPageBeside} readMarked={readMarked} show={showCited} />}
        {isConnected && <DuePanel study={setStudied} />}
      </CapturesPanel>
    </>
  );
}
