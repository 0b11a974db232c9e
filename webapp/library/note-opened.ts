import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { client } from "#webapp/app/client.ts";
import { showOpened } from "./content.ts";
import { logTrouble } from "#webapp/app/log.ts";

/** Puts a document, a video or a deck among what was opened last; nobody waits for it. */
export function noteOpened(componentId: string): void {
  client.pages
    .markRecentlyOpened({ id: componentId })
    .then(() => showOpened(componentId, Date.now()))
    .catch((error: unknown) => {
      // One that was made here may not have reached the server yet.
      const isExpected = error instanceof NoAnswer || (error instanceof Failure && error.code === "not_found");
      if (!isExpected) logTrouble("Could not note that something was opened", error);
    });
}
