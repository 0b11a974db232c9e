import { screenPath } from "#shared/screens.ts";
import { readServer } from "#extension/app/disk.ts";
import { openTab } from "#extension/platform/pages.ts";

/** A longer selection is cut: the question is a starting point that the student edits. */
const MAX_QUESTION_CHARS = 400;

/**
 * Opens the app with the selection as a question. It is sent by the student there, where its cost and the sources are
 * shown, so the extension needs no right for it.
 */
export async function openResearch(selection: string): Promise<void> {
  const question = selection.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUESTION_CHARS);
  await openTab(
    `${await readServer()}${screenPath("research", {})}?${new URLSearchParams({ q: question }).toString()}`,
  );
}
