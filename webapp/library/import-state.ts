import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { NotesImport } from "#shared/library/import-schema.ts";
import { t } from "#shared/messages/translate.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "./content.ts";
import { loadFolders } from "./folders.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { forgetUpload, keepUpload, NOTES_ID, readKeptNotes } from "#webapp/uploads/upload-store.ts";

export type Importing =
  | { state: "idle" }
  | { state: "packing" }
  | { state: "sending"; done: number; total: number; stop: () => void }
  | { state: "running"; done: number; total: number; stop: () => void }
  | { state: "failed"; message: string }
  | { state: "done"; report: NotesImport };

const heldAtom = accountAtom<Importing>({ state: "idle" });
/** The running or last import; it outlives the dialog that started it. */
export const importingAtom = atom((get) => get(heldAtom));

const earlierHeldAtom = accountAtom<readonly NotesImport[]>([]);
export const earlierImportsAtom = atom((get) => get(earlierHeldAtom));

export const isBusy = ({ state }: Importing) => state === "packing" || state === "sending" || state === "running";

export const forgetImport = () => store.set(heldAtom, { state: "idle" });
export const sayFailed = (message: string) => store.set(heldAtom, { state: "failed", message });

export async function loadImports(): Promise<void> {
  try {
    store.set(earlierHeldAtom, (await client.library.listImports({})).imports);
  } catch (error) {
    logTrouble("Failed to load earlier imports", error);
  }
}

/** Packs files, with their paths below the chosen folder, into one uncompressed archive. */
async function pack(files: readonly File[]): Promise<File> {
  const { zip } = await import("fflate");
  const entries: Record<string, Uint8Array> = {};
  for (const file of files) entries[file.webkitRelativePath || file.name] = new Uint8Array(await file.arrayBuffer());
  const bytes = await new Promise<Uint8Array>((resolve, reject) =>
    zip(entries, { level: 0 }, (error, made) => (error ? reject(error) : resolve(made))),
  );
  const root = files[0]?.webkitRelativePath.split("/")[0];
  return new File([bytes as Uint8Array<ArrayBuffer>], `${root || t("imports.title")}.zip`, { type: "application/zip" });
}

/** Imports one zip, or any files with their folder structure. */
export async function importFiles(files: readonly File[]): Promise<void> {
  const [only] = files;
  if (!only || isBusy(store.get(heldAtom))) return;
  try {
    const isZip = files.length === 1 && /\.zip$/i.test(only.name);
    if (!isZip) store.set(heldAtom, { state: "packing" });
    await send(isZip ? only : await pack(files));
  } catch (error) {
    logTrouble("An import was interrupted", error);
    sayFailed(t("imports.failed"));
  }
}

/** 4xx messages explain why the archive was rejected, so they are shown as they are. */
const wordsOf = (error: unknown): string =>
  error instanceof Failure && error.status < 500
    ? error.message
    : (friendlyFailure(error, "upload")?.message ?? t("imports.failed"));

const lockName = (accountId: string) => `lamplight-import-${accountId}`;

/** Only one tab imports at a time. */
async function send(file: File): Promise<void> {
  const accountId = store.get(accountIdAtom) ?? "";
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return sendKept(file, accountId);
  return locks.request(lockName(accountId), () => sendKept(file, accountId));
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Closing the tab asks for confirmation, and the next visit resumes from the stored archive until it is complete. */
async function sendKept(file: File, accountId: string): Promise<void> {
  const { name, type, size: sizeBytes, lastModified } = file;
  const whole = { pageId: null, after: null, batch: NOTES_ID, index: 0, isPaused: false, addedAt: Date.now() };
  await keepUpload({ accountId, id: NOTES_ID, name, type, sizeBytes, lastModified, ...whole, file });
  window.addEventListener("beforeunload", askBeforeLeaving);
  try {
    if (await bring(file)) await forgetUpload(accountId, NOTES_ID);
  } finally {
    window.removeEventListener("beforeunload", askBeforeLeaving);
  }
  await Promise.all([loadContent(), loadFolders(), loadImports()]);
}

const tried = new Set<string>();

/** Resumes an interrupted import, once per visit. */
export async function recallImport(): Promise<void> {
  const accountId = store.get(accountIdAtom);
  if (accountId === undefined || tried.has(accountId) || isBusy(store.get(heldAtom))) return;
  tried.add(accountId);
  try {
    const kept = await readKeptNotes(accountId);
    if (!kept?.file || !(await isFree(lockName(accountId)))) return;
    notify({ message: t("imports.goes_on_again", { name: kept.name }), type: "info" });
    await send(new File([kept.file], kept.name, { type: kept.type }));
  } catch (error) {
    logTrouble("Could not resume an interrupted import", error);
  }
}

async function isFree(name: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(name, { ifAvailable: true }, (lock) => lock !== null) : true;
}

/** Resolves to whether the import is finished: complete, rejected, or cancelled by the student. */
async function bring(file: File): Promise<boolean> {
  const stopper = new AbortController();
  const stop = () => stopper.abort();
  const show = (state: "sending" | "running") => (done: number, total: number) =>
    store.set(heldAtom, { state, done, total, stop });
  show("sending")(0, file.size);
  try {
    const sent = [{ field: "file", name: file.name, file }];
    const options = { signal: stopper.signal, onUploadProgress: show("sending") };
    for await (const event of client.library.importNotes.stream({}, sent, options)) {
      if (event.type === "progress") show("running")(event.done, event.total);
      if (event.type === "result") store.set(heldAtom, { state: "done", report: event.result });
      if (event.type === "error") sayFailed(event.message);
    }
    return true;
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoAnswer)) logTrouble("An import was interrupted", error);
    sayFailed(stopper.signal.aborted ? t("imports.stopped") : wordsOf(error));
    return stopper.signal.aborted || (error instanceof Failure && error.status < 500);
  }
}

/** Undoes an import; resolves to whether that succeeded. */
export async function undoImport(id: string): Promise<boolean> {
  try {
    const { import: undone } = await client.library.undoImport({ id });
    store.set(earlierHeldAtom, (held) => held.map((one) => (one._id === id ? undone : one)));
    store.set(heldAtom, (held) =>
      held.state === "done" && held.report._id === id ? { state: "done", report: undone } : held,
    );
    await Promise.all([loadContent(), loadFolders()]);
    return true;
  } catch (error) {
    logTrouble("Could not undo an import", error);
    return false;
  }
}
