import { readCommand, type SiteCommand } from "#shared/website/commands.ts";
import { applySiteEdit } from "#shared/website/rules.ts";
import type { SiteDocument } from "#shared/website/schema.ts";
import {
  commitCheckpoint,
  readSiteDocument,
  readProjectFiles,
  requireProject,
  saveCheckpoint,
} from "../project-files.ts";
import { presentChanged } from "../site-state.ts";
import { listCheckpoints, type ProjectDoc } from "../store.ts";
import { formatDocument, withDocument } from "../templates.ts";
import type { AnswerRun } from "./answer-run.ts";
import { findUndoTarget } from "./find-undo-target.ts";
import { reply } from "./replies.ts";

/**
 * Applies a known command. Replies to any other message with the list of commands, because there is no model to
 * converse with.
 */
export async function answerWithoutModel(run: AnswerRun): Promise<void> {
  const { own, input, deps } = run;
  const project = await requireProject(own, input.projectId);
  const files = await readProjectFiles(own, project);
  const document = readSiteDocument(files);
  const command = document && readCommand(input.text, document);
  if (!document || !command) return run.write(reply("help", document?.language ?? "en"));
  const changed =
    command.type === "undo" ? await undo(run, project) : await applyCommand(run, { project, document, command });
  if (changed) await presentChanged({ own, previews: deps.previews, clock: deps.clock }, changed);
  return run.write(reply(outcomeOf(command, changed), document.language));
}

function outcomeOf({ type }: SiteCommand, changed: ProjectDoc | undefined) {
  if (type === "undo") return changed ? "undone" : "nothing_to_undo";
  return changed ? "done" : "unchanged";
}

interface Change {
  project: ProjectDoc;
  document: SiteDocument;
  command: Extract<SiteCommand, { type: "edit" }>;
}

async function applyCommand(run: AnswerRun, { project, document, command }: Change): Promise<ProjectDoc | undefined> {
  const { own, deps, input } = run;
  const next = applySiteEdit(document, command.edit);
  if (formatDocument(next) === formatDocument(document)) return undefined;
  const finish = run.beginTool("edit_site", { edit: command.edit });
  const files = withDocument(await readProjectFiles(own, project), next);
  const origin = { reason: "message" as const, detail: input.text, messageId: input.messageId };
  const changed = await saveCheckpoint({ ...deps, own }, project, files, origin);
  finish({ resultText: input.text });
  return changed;
}

/** Undoes the last change; the next undo undoes the change before it. */
async function undo(run: AnswerRun, project: ProjectDoc): Promise<ProjectDoc | undefined> {
  const { own, deps, input } = run;
  const before = findUndoTarget(await listCheckpoints(own, project.projectId));
  if (!before) return undefined;
  const origin = { reason: "restored" as const, detail: before.detail, messageId: input.messageId };
  return commitCheckpoint({ own, clock: deps.clock }, project, before.files, origin);
}
