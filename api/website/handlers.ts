import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import { applySiteEdit, SITE_LIMITS } from "#shared/website/rules.ts";
import type { SiteDocument } from "#shared/website/schema.ts";
import type { website } from "#shared/website/contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { insertWithinLimit } from "#api/store/insert-within-limit.ts";
import { prepareCards } from "./document/cards.ts";
import { listSiteSources } from "./document/read-sources.ts";
import { makeDocument, makeSection } from "./document/make-document.ts";
import { compareFiles } from "./compare-checkpoints.ts";
import { createSiteZip } from "./export-site.ts";
import { proposeTitle } from "./propose-title.ts";
import type { PublishHandlers } from "./publish-handlers.ts";
import {
  type CheckpointOrigin,
  commitCheckpoint,
  DOCUMENT_PATH,
  readSiteDocument,
  readFiles,
  readProjectFiles,
  requireCheckpoint,
  requireProject,
  saveCheckpoint,
  type SiteFiles,
} from "./project-files.ts";
import {
  presentChanged,
  presentProject,
  presentState,
  presentWebsiteThread,
  previewKey,
  showProject,
} from "./site-state.ts";
import {
  countProjects,
  countThreads,
  findWebsiteThread,
  insertProject,
  insertWebsiteThread,
  listProjectMessages,
  listProjects,
  listProjectThreads,
  nameProject,
  patchProject,
  patchWebsiteThread,
  type ProjectDoc,
  removeProject,
  removeWebsiteThread,
} from "./store.ts";
import { emptyDocument, withDocument } from "./templates.ts";

const fileNotFound = () => new Failure("not_found", "no_site_file");

/**
 * Writes a document made from sources to its file. A document that is too large fails, because the student must choose
 * which sources to leave out.
 */
function withSources(files: SiteFiles, document: SiteDocument): SiteFiles {
  const next = withDocument(files, document);
  if (Buffer.byteLength(next.get(DOCUMENT_PATH) ?? "") > SITE_LIMITS.fileBytes)
    throw new Failure("too_large", "site_sources_too_long");
  return next;
}

/** Changes a project's files by one checkpoint and answers with the new state. */
async function changeFiles(ctx: UserCtx, project: ProjectDoc, files: SiteFiles, origin: CheckpointOrigin) {
  return presentChanged(ctx, await saveCheckpoint(ctx, project, files, origin));
}

/** Names a project after its site, unless the project has a name. */
async function nameAfterSite({ own }: UserCtx, project: ProjectDoc, title: string): Promise<ProjectDoc> {
  return (await nameProject(own, project.projectId, title)) ?? project;
}

export const handlers: Omit<Handlers<typeof website>, keyof PublishHandlers> = {
  async listProjects(ctx) {
    return { projects: (await listProjects(ctx.own)).map((project) => presentProject(ctx, project)) };
  },

  async createProject(ctx, { name }) {
    const { own, clock } = ctx;
    const projectId = ulid();
    const now = clock.now();
    const isNamed = name !== "";
    const isInserted = await insertWithinLimit(own, {
      name: "websites",
      max: SITE_LIMITS.projects,
      count: () => countProjects(own),
      insert: () => insertProject(own, { projectId, name, isNamed, checkpointId: "", createdAt: now, updatedAt: now }),
      remove: () => removeProject(own, projectId),
      now: () => clock.now(),
    });
    if (!isInserted) throw new Failure("bad_input", "too_many_websites", { most: SITE_LIMITS.projects });
    const project = await requireProject(own, projectId);
    const files = withDocument(new Map(), emptyDocument(name || "Untitled"));
    return presentProject(ctx, await saveCheckpoint(ctx, project, files, { reason: "created", detail: "" }));
  },

  async getProject(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    // Prepare the builder, because a student who opens a project soon looks at its preview or makes its site.
    if (!ctx.previews.isRunning(previewKey(project))) ctx.previews.prepare();
    const state = await presentState(ctx, project);
    if (state.document?.sections.length === 0) await prepareCards(ctx.models);
    return state;
  },

  async renameProject(ctx, { id, name }) {
    const project = await requireProject(ctx.own, id);
    return presentProject(ctx, (await patchProject(ctx.own, id, { name, isNamed: true })) ?? project);
  },

  async listWebsiteThreads({ own }, { id }) {
    await requireProject(own, id);
    const [threads, messages] = await Promise.all([listProjectThreads(own, id), listProjectMessages(own, id)]);
    return { threads: threads.map((thread) => presentWebsiteThread(thread, messages)) };
  },

  async createWebsiteThread({ own, clock }, { id }) {
    await requireProject(own, id);
    const [threadId, now] = [ulid(), clock.now()];
    const isInserted = await insertWithinLimit(own, {
      name: `website_threads:${id}`,
      max: SITE_LIMITS.threads,
      count: () => countThreads(own, id),
      insert: () => insertWebsiteThread(own, { projectId: id, threadId, title: null, createdAt: now, updatedAt: now }),
      remove: () => removeWebsiteThread(own, threadId),
      now: () => clock.now(),
    });
    if (!isInserted) throw new Failure("bad_input", "too_many_threads", { most: SITE_LIMITS.threads });
    return { _id: threadId, messages: [], thread_title: null, updated_at: now };
  },

  async generateProjectName(ctx, { id, messages }) {
    const project = await requireProject(ctx.own, id);
    if (project.isNamed) return { title: project.name };
    const title = await proposeTitle(ctx, messages);
    if (title === "") return { title: project.name };
    return { title: (await nameProject(ctx.own, id, title))?.name ?? project.name };
  },

  async generateThreadTitle(ctx, { id, threadId, messages }) {
    const thread = await findWebsiteThread(ctx.own, threadId);
    if (thread?.projectId !== id) throw new Failure("not_found", "no_conversation");
    if (thread.title !== null || messages.length < 2) return { title: thread.title ?? "" };
    const title = await proposeTitle(ctx, messages);
    if (title !== "") await patchWebsiteThread(ctx.own, threadId, { title });
    return { title };
  },

  async listSiteSources({ own }) {
    return { sources: await listSiteSources(own) };
  },

  async makeSite(ctx, { id, kind, title, sourceIds }) {
    const project = await requireProject(ctx.own, id);
    ctx.previews.prepare();
    const document = await makeDocument(ctx, { kind, title, sourceIds });
    const files = withSources(await readProjectFiles(ctx.own, project), document);
    const named = await nameAfterSite(ctx, project, document.title);
    return changeFiles(ctx, named, files, { reason: "made", detail: document.title });
  },

  async addSection(ctx, { id, kind, sourceIds }) {
    const project = await requireProject(ctx.own, id);
    const files = await readProjectFiles(ctx.own, project);
    const document = readSiteDocument(files);
    if (!document) throw new Failure("bad_input", "no_site_document");
    if (document.sections.length >= SITE_LIMITS.sections) throw new Failure("bad_input", "too_many_sections");
    const section = await makeSection(ctx, kind, sourceIds);
    const next = { ...document, sections: [...document.sections, section] };
    return changeFiles(ctx, project, withSources(files, next), { reason: "edited", detail: section.title });
  },

  async editSite(ctx, { id, edits }) {
    const project = await requireProject(ctx.own, id);
    const files = await readProjectFiles(ctx.own, project);
    let document = readSiteDocument(files);
    if (!document) throw new Failure("bad_input", "no_site_document");
    for (const edit of edits) document = applySiteEdit(document, edit);
    return changeFiles(ctx, project, withDocument(files, document), { reason: "edited", detail: document.title });
  },

  async getSiteFile({ own }, { id, path, checkpointId }) {
    const project = await requireProject(own, id);
    const files =
      checkpointId === undefined
        ? await readProjectFiles(own, project)
        : await readFiles(own, await requireCheckpoint(own, id, checkpointId));
    const text = files.get(path);
    if (text === undefined) throw fileNotFound();
    return { path, text };
  },

  async putSiteFile(ctx, { id, path, text }) {
    const project = await requireProject(ctx.own, id);
    const files = await readProjectFiles(ctx.own, project);
    return changeFiles(ctx, project, files.set(path, text), { reason: "code", detail: path });
  },

  async deleteSiteFile(ctx, { id, path }) {
    const project = await requireProject(ctx.own, id);
    const files = await readProjectFiles(ctx.own, project);
    if (!files.delete(path)) throw fileNotFound();
    return changeFiles(ctx, project, files, { reason: "code", detail: path });
  },

  async compareCheckpoint({ own }, { id, checkpointId }) {
    const project = await requireProject(own, id);
    const earlier = await readFiles(own, await requireCheckpoint(own, id, checkpointId));
    return { changes: compareFiles(earlier, await readProjectFiles(own, project)) };
  },

  async restoreCheckpoint(ctx, { id, checkpointId }) {
    const project = await requireProject(ctx.own, id);
    const { files, detail } = await requireCheckpoint(ctx.own, id, checkpointId);
    return presentChanged(ctx, await commitCheckpoint(ctx, project, files, { reason: "restored", detail }));
  },

  async startPreview(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    await showProject(ctx, project);
    return presentState(ctx, project);
  },

  async stopPreview(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    ctx.previews.stop(previewKey(project));
    return { success: true as const };
  },

  async reportPreview(ctx, { id, ...report }) {
    ctx.previews.recordReport(previewKey(await requireProject(ctx.own, id)), report);
    return { success: true as const };
  },

  async checkSite(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    const files = await readProjectFiles(ctx.own, project);
    return { faults: await ctx.previews.check({ title: project.name, files }) };
  },

  async exportSite(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    return createSiteZip(ctx, project, await readProjectFiles(ctx.own, project));
  },
};
