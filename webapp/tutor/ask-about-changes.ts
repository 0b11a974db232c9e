import type { AnswerEvent } from "#shared/tutor/schema.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { queue } from "#webapp/offline/sync.ts";

/** How long a question waits until the latest changes are sent. */
const MAX_WAIT_MS = 2000;

/** Sends a question after what the student has just written, so that the answer can be about it. */
export async function* askAboutChanges(
  request: Parameters<typeof client.tutor.ask>[0],
): AsyncGenerator<AnswerEvent, void> {
  try {
    await Promise.race([queue().flush(), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
  } catch (error) {
    // The question is sent in any case.
    logWarning("Could not send the latest changes before a question", error);
  }
  yield* client.tutor.ask(request);
}
