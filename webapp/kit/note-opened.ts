import { NoAnswer } from "#shared/client/client.ts";
import { client } from "./client.ts";
import { logTrouble } from "./log.ts";

/** Puts a document, a video or a deck among what was opened last; nobody waits for it. */
export function noteOpened(componentId: string): void {
  client.pages.markRecentlyOpened({ id: componentId }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) logTrouble("Could not note that something was opened", error);
  });
}
