import { atom } from "jotai/vanilla";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Share } from "#shared/sharing/schema.ts";
import type {
  FileChange,
  SectionKind,
  SiteEdit,
  SiteKind,
  PreviewReport,
  SiteSource,
  WebsiteProject,
  WebsiteState,
} from "#shared/website/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, watchSession } from "#webapp/app/session/load-for-account.ts";
import { store } from "#webapp/app/store.ts";

type Projects = { state: "loading" } | { state: "failed" } | { state: "ready"; projects: readonly WebsiteProject[] };
export const projectsAtom = accountAtom<Projects>({ state: "loading" });

type OpenProject = { state: "loading" | "failed" | "gone" } | { state: "ready"; data: WebsiteState };
export const openProjectAtom = accountAtom<OpenProject>({ state: "loading" });
/** Whether the server is working on a change. The forms wait until it is finished. */
export const isBusyAtom = atom(false);

export type Sources = { state: "loading" | "failed" } | { state: "ready"; sources: readonly SiteSource[] };
export const sourcesAtom = accountAtom<Sources>({ state: "loading" });

function report(error: unknown, logMessage: string): void {
  logWarning(logMessage, error);
  // The message of a refusal says what to do, in the student's language.
  const known = error instanceof Failure && error.status < 500 ? error.message : toFailureMessage(error)?.message;
  if (known !== undefined) notify({ message: known, type: "error" });
}

export const loadProjects = (): Promise<void> =>
  loadForAccount(
    () => client.website.listProjects({}),
    ({ projects }) => store.set(projectsAtom, { state: "ready", projects }),
    (error) => {
      logWarning("Could not load the websites", error);
      if (store.get(projectsAtom).state !== "ready") store.set(projectsAtom, { state: "failed" });
    },
  );

/** Creates a project and returns its id; undefined after a failure, which is shown to the student. */
export async function createProject(): Promise<string | undefined> {
  try {
    return (await client.website.createProject({ name: "" }))._id;
  } catch (error) {
    report(error, "Could not create a website");
    return undefined;
  }
}

export async function renameProject(id: string, name: string): Promise<void> {
  try {
    const project = await client.website.renameProject({ id, name });
    showName(project);
    await loadProjects();
  } catch (error) {
    report(error, "Could not rename a website");
  }
}

export async function deleteProject(id: string): Promise<void> {
  try {
    await client.website.deleteProject({ id });
    await loadProjects();
  } catch (error) {
    report(error, "Could not delete a website");
  }
}

export const loadSources = (): Promise<void> =>
  loadForAccount(
    () => client.website.listSiteSources({}),
    ({ sources }) => store.set(sourcesAtom, { state: "ready", sources }),
    (error) => {
      logWarning("Could not load the sources", error);
      if (store.get(sourcesAtom).state !== "ready") store.set(sourcesAtom, { state: "failed" });
    },
  );

/** The project that was opened last; what arrives about another project is not shown. */
let openedId = "";
const isOpen = (id: string) => openedId === id;

/** Opens a project, and starts its preview if the site has content. */
export async function openProject(id: string): Promise<void> {
  openedId = id;
  const isCurrent = watchSession();
  store.set(openProjectAtom, { state: "loading" });
  try {
    const data = await client.website.getProject({ id });
    if (!isOpen(id) || !isCurrent()) return;
    store.set(openProjectAtom, { state: "ready", data });
    if ((data.document?.sections.length ?? 1) > 0) await startPreview(id);
  } catch (error) {
    logWarning("Could not open a website", error);
    if (!isOpen(id) || !isCurrent()) return;
    const isGone = error instanceof Failure && error.code === "not_found";
    store.set(openProjectAtom, { state: isGone ? "gone" : "failed" });
  }
}

function showName(project: WebsiteProject): void {
  changeOpen(project._id, (data) => ({ ...data, project }));
}

/** Shows the name that the server generated for a project. */
export function setProjectName(id: string, name: string): void {
  changeOpen(id, (data) => ({ ...data, project: { ...data.project, name } }));
}

/** Shows the preview as offline after a conversation could not be started. */
export function showPreviewOffline(id: string): void {
  changeOpen(id, (data) => ({ ...data, devServer: { ...data.devServer, status: "offline" } }));
}

function changeOpen(id: string, work: (data: WebsiteState) => WebsiteState): void {
  store.set(openProjectAtom, (open) =>
    open.state === "ready" && open.data.project._id === id ? { ...open, data: work(open.data) } : open,
  );
}

/** The latest change, which may have ended. */
let lastChange: Promise<unknown> = Promise.resolve();

/** Runs one change at a time and shows the state that the server returns; resolves to whether the change was made. */
function change(id: string, work: () => Promise<WebsiteState>, logMessage: string): Promise<boolean> {
  if (store.get(isBusyAtom)) return Promise.resolve(false);
  const result = makeChange(id, work, logMessage);
  lastChange = result;
  return result;
}

async function makeChange(id: string, work: () => Promise<WebsiteState>, logMessage: string): Promise<boolean> {
  const isCurrent = watchSession();
  store.set(isBusyAtom, true);
  try {
    const data = await work();
    if (isOpen(id) && isCurrent()) store.set(openProjectAtom, { state: "ready", data });
    return true;
  } catch (error) {
    report(error, logMessage);
    return false;
  } finally {
    store.set(isBusyAtom, false);
  }
}

/** Loads the project again, after the agent changed it. */
export const refreshProject = (id: string) =>
  change(id, () => client.website.getProject({ id }), "Could not load the website");

/** Updates the state of the preview while the agent is working. The forms do not wait for this. */
export async function refreshPreview(id: string): Promise<void> {
  try {
    const { devServer } = await client.website.getProject({ id });
    changeOpen(id, (data) => ({ ...data, devServer }));
  } catch (error) {
    logWarning("Could not load the state of the preview", error);
  }
}

/** Reports the outcome of the preview to the agent. */
export const reportPreview = (id: string, preview: PreviewReport): Promise<void> =>
  client.website.reportPreview({ id, ...preview }).then(
    () => undefined,
    (error: unknown) => logWarning("Could not report the preview", error),
  );

export const startPreview = (id: string) =>
  change(id, () => client.website.startPreview({ id }), "Could not start the preview");

export async function makeSite(
  id: string,
  request: { kind: SiteKind; title: string; sourceIds: string[] },
): Promise<void> {
  if (!(await change(id, () => client.website.makeSite({ id, ...request }), "Could not make the website"))) return;
  await startPreview(id);
}

/**
 * Changes the document once the current change has ended, because leaving a field by pressing a button starts two
 * changes. The notice offers an undo. Resolves to whether the change was made.
 */
export async function editSite(id: string, edits: SiteEdit[]): Promise<boolean> {
  while (store.get(isBusyAtom)) await lastChange;
  return changeWithUndo(id, () => client.website.editSite({ id, edits }));
}

export async function addSection(id: string, kind: SectionKind, sourceIds: string[]): Promise<void> {
  await changeWithUndo(id, () => client.website.addSection({ id, kind, sourceIds }));
}

async function changeWithUndo(id: string, work: () => Promise<WebsiteState>): Promise<boolean> {
  const open = store.get(openProjectAtom);
  const before = open.state === "ready" && open.data.project._id === id ? open.data.checkpoints[0]?._id : undefined;
  if (!(await change(id, work, "Could not change the website"))) return false;
  if (before === undefined) return true;
  const undo = { label: t("common.undo"), run: () => void restore(id, before) };
  notify({ message: t("website.edited"), type: "success", action: undo });
  return true;
}

export async function restore(id: string, checkpointId: string): Promise<void> {
  const isDone = await change(
    id,
    () => client.website.restoreCheckpoint({ id, checkpointId }),
    "Could not restore a version",
  );
  if (isDone) notify({ message: t("website.restored"), type: "success" });
}

/** The share link of a project; null if it has no link. */
export const loadLink = async (id: string): Promise<Share | null> =>
  (await client.sharing.getShare({ type: "website_project", id })).share;

/** Publishes the current state to everyone with the link; undefined after a failure, which is shown to the student. */
export async function publishSite(id: string): Promise<Share | undefined> {
  let link: Share | undefined;
  const publish = async () => {
    const { state, share } = await client.website.publishSite({ id });
    link = share;
    return state;
  };
  if (!(await change(id, publish, "Could not publish a website"))) return undefined;
  notify({ message: t("website.published_done"), type: "success" });
  return link;
}

export async function unpublishSite(id: string): Promise<boolean> {
  const isDone = await change(id, () => client.website.unpublishSite({ id }), "Could not unpublish a website");
  if (isDone) notify({ message: t("website.unpublished_done"), type: "success" });
  return isDone;
}

export const compareWithNow = async (id: string, checkpointId: string): Promise<readonly FileChange[]> =>
  (await client.website.compareCheckpoint({ id, checkpointId })).changes;

/** The unsaved texts of files, by project and path. They stay when the code view is closed. */
export const draftsAtom = accountAtom<Readonly<Record<string, string>>>({});

export function setDraft(key: string, text: string | undefined): void {
  store.set(draftsAtom, (drafts) => {
    const otherDrafts = Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key));
    return text === undefined ? otherDrafts : { ...otherDrafts, [key]: text };
  });
}

/** The text of a file; undefined if it could not be loaded. */
export async function readSiteFile(id: string, path: string): Promise<string | undefined> {
  try {
    return (await client.website.getSiteFile({ id, path })).text;
  } catch (error) {
    logWarning("Could not load a file", error);
    return undefined;
  }
}

export const writeSiteFile = (id: string, path: string, text: string) =>
  change(id, () => client.website.putSiteFile({ id, path, text }), "Could not save a file");

export const deleteSiteFile = (id: string, path: string) =>
  change(id, () => client.website.deleteSiteFile({ id, path }), "Could not delete a file");

export async function downloadSite({ _id: id, name }: WebsiteProject): Promise<void> {
  try {
    const zip = await client.website.exportSite({ id });
    saveFile(zip, `${name.replaceAll(/[\p{C}/\\:*?"<>|]/gu, " ").trim() || "website"}.zip`);
  } catch (error) {
    report(error, "Could not export a website");
  }
}
