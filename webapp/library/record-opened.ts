import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { client } from "#webapp/app/client.ts";
import { showOpened } from "./content.ts";
import { logWarning } from "#webapp/app/log.ts";

/** Records a document, video or deck as recently opened, in the background. */
export function recordOpened(componentId: string): void {
  client.pages
    .markRecentlyOpened({ id: componentId })
    .then(() => showOpened(componentId, Date.now()))
    .catch((error: unknown) => {
      // A component created here may not have been synced yet.
      const isExpected = error instanceof NoResponseError || (error instanceof Failure && error.code === "not_found");
      if (!isExpected) logWarning("Could not record a recently opened item", error);
    });
}
