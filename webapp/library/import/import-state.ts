import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { NotesImport } from "#shared/library/import-schema.ts";
import { t } from "#shared/messages/translate.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, type SessionCheck, watchSession } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "../content.ts";
import { loadFolders } from "../folders.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { removeStoredUpload, saveUpload, NOTES_ID, findStoredNotes } from "#webapp/uploads/upload-store.ts";

export type ImportState =
  | { state: "idle" }
  | { state: "packing" }
  | { state: "sending"; done: number; total: number; stop: () => void }
  | { state: "running"; done: number; total: number; stop: () => void }
  | { state: "failed"; message: string }
  | { state: "done"; report: NotesImport };

const importStateAtom = accountAtom<ImportState>({ state: "idle" });
/** The running or last import, which continues when the dialog is closed. */
export const importingAtom = atom((get) => get(importStateAtom));

type EarlierImports = { state: "loading" | "failed" } | { state: "ready"; imports: readonly NotesImport[] };

const earlierStateAtom = accountAtom<EarlierImports>({ state: "loading" });
export const earlierImportsAtom = atom((get) => get(earlierStateAtom));

export const isBusy = ({ state }: ImportState) => state === "packing" || state === "sending" || state === "running";

export const resetImport = () => store.set(importStateAtom, { state: "idle" });
export const failImport = (message: string) => store.set(importStateAtom, { state: "failed", message });

export const loadImports = (): Promise<void> =>
  loadForAccount(
    () => client.library.listImports({}),
    ({ imports }) => store.set(earlierStateAtom, { state: "ready", imports }),
    (error) => {
      logWarning("Failed to load earlier imports", error);
      if (store.get(earlierStateAtom).state !== "ready") store.set(earlierStateAtom, { state: "failed" });
    },
  );

/** Packs files with their relative paths into one uncompressed archive. */
async function packZip(files: readonly File[]): Promise<File> {
  const { zip } = await import("fflate");
  const entries: Record<string, Uint8Array> = {};
  for (const file of files) entries[file.webkitRelativePath || file.name] = new Uint8Array(await file.arrayBuffer());
  const bytes = await new Promise<Uint8Array>((resolve, reject) =>
    zip(entries, { level: 0 }, (error, zipped) => (error ? reject(error) : resolve(zipped))),
  );
  const root = files[0]?.webkitRelativePath.split("/")[0];
  return new File([bytes as Uint8Array<ArrayBuffer>], `${root || t("imports.title")}.zip`, { type: "application/zip" });
}

/** Imports one zip, or any files with their folder structure. */
export async function importFiles(files: readonly File[]): Promise<void> {
  const [only] = files;
  if (!only || isBusy(store.get(importStateAtom))) return;
  const isCurrent = watchSession();
  try {
    const isZip = files.length === 1 && /\.zip$/i.test(only.name);
    if (!isZip) store.set(importStateAtom, { state: "packing" });
    const archive = isZip ? only : await packZip(files);
    // Another account may have signed in while the files were packed.
    if (isCurrent()) await importExclusively(archive);
  } catch (error) {
    logWarning("An import was interrupted", error);
    if (isCurrent()) failImport(t("imports.failed"));
  }
}

/** The messages of 4xx failures explain why the archive was rejected, so they are shown unchanged. */
const importErrorMessage = (error: unknown): string =>
  error instanceof Failure && error.status < 500
    ? error.message
    : (toFailureMessage(error, "upload")?.message ?? t("imports.failed"));

const lockName = (accountId: string) => `lamplight-import-${accountId}`;

/** Only one tab imports at a time. While this one waits for its turn, another account may sign in. */
async function importExclusively(file: File): Promise<void> {
  const accountId = store.get(accountIdAtom) ?? "";
  const isCurrent = watchSession();
  const work = () => (isCurrent() ? storeAndImport(file, { accountId, isCurrent }) : undefined);
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return work();
  return locks.request(lockName(accountId), work);
}

const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();

/** Stores the archive, so that the next visit can resume the import, and then runs the import. */
async function storeAndImport(
  file: File,
  { accountId, isCurrent }: { accountId: string; isCurrent: SessionCheck },
): Promise<void> {
  const { name, type, size: sizeBytes, lastModified } = file;
  const uploadFields = { pageId: null, after: null, batch: NOTES_ID, index: 0, isPaused: false, addedAt: Date.now() };
  await saveUpload({ accountId, id: NOTES_ID, name, type, sizeBytes, lastModified, ...uploadFields, file });
  // Signing out has removed what was stored before.
  if (!isCurrent()) return removeStoredUpload(accountId, NOTES_ID);
  window.addEventListener("beforeunload", confirmLeave);
  try {
    if (await runImport(file)) await removeStoredUpload(accountId, NOTES_ID);
  } finally {
    window.removeEventListener("beforeunload", confirmLeave);
  }
  await Promise.all([loadContent(), loadFolders(), loadImports()]);
}

const resumedAccounts = new Set<string>();

/** Resumes an interrupted import, once per visit. */
export async function resumeImport(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined || resumedAccounts.has(accountId) || isBusy(store.get(importStateAtom))) return;
  resumedAccounts.add(accountId);
  try {
    const stored = await findStoredNotes(accountId);
    if (!stored?.file || !(await isFree(lockName(accountId)))) return;
    notify({ message: t("imports.resuming", { name: stored.name }), type: "info" });
    await importExclusively(new File([stored.file], stored.name, { type: stored.type }));
  } catch (error) {
    logWarning("Could not resume an interrupted import", error);
  }
}

async function isFree(name: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(name, { ifAvailable: true }, (lock) => lock !== null) : true;
}

/** Runs the import. Resolves to whether it is finished, because it is complete, was rejected or was cancelled. */
async function runImport(file: File): Promise<boolean> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const isCurrent = watchSession();
  const showState = (state: ImportState) => {
    if (isCurrent()) store.set(importStateAtom, state);
  };
  const show = (state: "sending" | "running") => (done: number, total: number) =>
    showState({ state, done, total, stop });
  show("sending")(0, file.size);
  try {
    const files = [{ field: "file", name: file.name, file }];
    const options = { signal: controller.signal, onUploadProgress: show("sending") };
    for await (const event of client.library.importNotes.stream({}, files, options)) {
      if (event.type === "progress") show("running")(event.done, event.total);
      if (event.type === "result") showState({ state: "done", report: event.result });
      if (event.type === "error") showState({ state: "failed", message: event.message });
    }
    return true;
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoResponseError))
      logWarning("An import was interrupted", error);
    const message = controller.signal.aborted ? t("imports.stopped") : importErrorMessage(error);
    showState({ state: "failed", message });
    return controller.signal.aborted || (error instanceof Failure && error.status < 500);
  }
}

/** Undoes an import. Resolves to whether that succeeded. */
export async function undoImport(id: string): Promise<boolean> {
  try {
    const { import: undone } = await client.library.undoImport({ id });
    store.set(earlierStateAtom, (current) =>
      current.state === "ready"
        ? { ...current, imports: current.imports.map((entry) => (entry._id === id ? undone : entry)) }
        : current,
    );
    store.set(importStateAtom, (current) =>
      current.state === "done" && current.report._id === id ? { state: "done", report: undone } : current,
    );
    await Promise.all([loadContent(), loadFolders()]);
    return true;
  } catch (error) {
    logWarning("Could not undo an import", error);
    return false;
  }
}
