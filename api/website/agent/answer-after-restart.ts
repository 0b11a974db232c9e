import { readProjectFiles, readSiteDocument, requireProject } from "../project-files.ts";
import { listCheckpoints } from "../store.ts";
import type { AnswerRun } from "./answer-run.ts";
import { reply } from "./replies.ts";

/** Whether a run before a restart has stored the change of this message, which must not be applied twice. */
export const hasChangedSite = async ({ own, input }: AnswerRun): Promise<boolean> =>
  (await listCheckpoints(own, input.projectId)).some(({ messageId }) => messageId === input.messageId);

export async function answerAfterRestart({ own, input, write }: AnswerRun): Promise<void> {
  const project = await requireProject(own, input.projectId);
  write(reply("resumed", readSiteDocument(await readProjectFiles(own, project))?.language ?? "en"));
}
