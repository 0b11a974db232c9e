import { notify } from "#extension/app/channel.ts";
import { removeSetting, writeSetting } from "#extension/app/settings-store.ts";

/** A longer selection is cut: the question is a starting point that the student edits. */
const MAX_QUESTION_CHARS = 400;

/** Stores a selection as a question for the panel, where it is edited and sent. */
export async function saveResearchDraft(selection: string): Promise<void> {
  const text = selection.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUESTION_CHARS);
  await writeSetting("researchDraft", { text, at: Date.now() });
  notify("research");
}

export async function discardResearchDraft(): Promise<void> {
  await removeSetting("researchDraft");
  notify("research");
}
