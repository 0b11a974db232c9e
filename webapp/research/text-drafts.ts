import { z } from "zod";
import { logWarning } from "#webapp/app/log.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { listAbandonedDrafts, openDraft, removeDraft, type DraftSlot } from "#webapp/offline/draft-store.ts";

/** A text, and the stored text that it was written from. As a version of a section, null is the checked text. */
const OwnText = z.object({ text: z.string().nullable(), base: z.string().nullable() });
export type OwnText = z.infer<typeof OwnText>;

const OwnTexts = z.record(z.string(), OwnText);
type OwnTexts = Readonly<Record<string, OwnText>>;

interface AcquiredSlot {
  slot: DraftSlot;
  release: () => void;
}

/** This tab's draft of each session that has unsaved texts. */
const acquiredSlots = new Map<string, AcquiredSlot>();

// The drafts stay on disk until the account returns, and any tab may take them over.
store.sub(accountIdAtom, () => {
  for (const { release } of acquiredSlots.values()) release();
  acquiredSlots.clear();
});

const draftId = (sessionId: string) => `research:${sessionId}`;

function acquireDraftSlot(accountId: string, id: string): AcquiredSlot {
  const acquired = acquiredSlots.get(id);
  if (acquired) return acquired;
  const slot = openDraft(accountId, draftId(id));
  const opened = { slot, release: slot.hold() };
  acquiredSlots.set(id, opened);
  return opened;
}

async function removeSlot(id: string): Promise<void> {
  const acquired = acquiredSlots.get(id);
  acquiredSlots.delete(id);
  try {
    await acquired?.slot.remove();
  } finally {
    acquired?.release();
  }
}

/** Stores the unsaved texts of a session in this browser, so that they outlive the tab. */
export async function storeTexts(id: string, texts: OwnTexts): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return;
  const draft = OwnTexts.parse(texts);
  try {
    if (Object.keys(draft).length === 0) await removeSlot(id);
    else await acquireDraftSlot(accountId, id).slot.write(draft);
  } catch (error) {
    logWarning("Could not store unsaved texts of a research session", error);
  }
}

/** Hands over the texts that closed tabs have stored. `take` must store them again, and returns whether it did. */
export async function takeStoredTexts(id: string, take: (texts: OwnTexts) => boolean): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined) return;
  try {
    for (const row of await listAbandonedDrafts(accountId, draftId(id))) {
      const texts = OwnTexts.safeParse(row.draft).data;
      if (texts && !take(texts)) return;
      await removeDraft(row);
    }
  } catch (error) {
    logWarning("Could not read the stored texts of a research session", error);
  }
}
