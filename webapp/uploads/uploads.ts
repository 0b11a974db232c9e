import { atom } from "jotai/vanilla";
import { monotonicFactory } from "ulid";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { runUpload, type UploadPhase } from "#shared/pages/upload-run.ts";
import { isHeic } from "#shared/pdf/upload-rules.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "#webapp/library/content.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { callsFor, PIECE_BYTES } from "./upload-calls.ts";
import { checkUpload } from "./upload-check.ts";
import { forgetUpload, keepUpload, listUploads, type KeptUpload } from "./upload-store.ts";
import { loadUsage, usageAtom } from "#webapp/user/usage.ts";

type UploadState = "queued" | UploadPhase | "paused" | "needs_file" | "failed" | "done";

/** A file being uploaded, or the reason for its failure. */
export interface Upload extends KeptUpload {
  state: UploadState;
  sentBytes: number;
  /** Information for the next upload, such as how many are left today. */
  notice: string | null;
  problem: string | null;
  /** Whether a retry may help; an invalid file stays invalid. */
  canRetry: boolean;
  /** The created component, for uploads without a page. */
  made: Component | null;
}

const allAtom = accountAtom<readonly Upload[]>([]);
export const uploadsAtom = atom((get) => get(allAtom));

const MAX_RUNNING = 2;
const newId = monotonicFactory();
const stops = new Map<string, AbortController>();
const endings = new Map<string, (component: Component | undefined) => void>();
type Listener = (upload: Upload, component: Component) => void;
const listeners = new Set<Listener>();

/** Notifies of every finished upload, on any page. */
export function onUploaded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const find = (id: string) => store.get(allAtom).find((upload) => upload.id === id);

function change(id: string, next: Partial<Upload>): void {
  store.set(allAtom, (all) => all.map((upload) => (upload.id === id ? { ...upload, ...next } : upload)));
}

function remove(id: string): void {
  store.set(allAtom, (all) => all.filter((upload) => upload.id !== id));
}

const asShown = (kept: KeptUpload): Upload => ({
  ...kept,
  state: kept.file ? (kept.isPaused ? "paused" : "queued") : "needs_file",
  sentBytes: 0,
  notice: null,
  problem: null,
  canRetry: true,
  made: null,
});

const keptPart = (upload: Upload): KeptUpload => {
  const { state: _1, sentBytes: _2, notice: _3, problem: _4, canRetry: _5, made: _6, ...kept } = upload;
  return kept;
};

interface Target {
  pageId: string | null;
  after?: string | undefined;
}

/** Adds files to the upload queue; resolves when each has finished or failed. */
export function addUploads(files: readonly File[], { pageId, after }: Target): Promise<(Component | undefined)[]> {
  const accountId = store.get(userAtom)?._id;
  if (accountId === undefined) return Promise.resolve([]);
  const batch = newId();
  const added = files.map((file, index) =>
    asShown({
      accountId,
      id: newId(),
      batch,
      index,
      pageId,
      after: after ?? null,
      isPaused: false,
      addedAt: Date.now(),
      name: file.name,
      type: file.type,
      sizeBytes: file.size,
      lastModified: file.lastModified,
      file,
    }),
  );
  store.set(allAtom, (all) => [...all, ...added]);
  const ended = added.map(({ id }) => new Promise<Component | undefined>((resolve) => endings.set(id, resolve)));
  for (const upload of added) void keepUpload(keptPart(upload));
  startNext();
  return Promise.all(ended);
}

const recalled = new Set<string>();

/** Resumes uploads interrupted by a reload, except those another tab is sending. */
export async function recallUploads(accountId: string): Promise<void> {
  if (recalled.has(accountId)) return;
  recalled.add(accountId);
  try {
    const kept = await listUploads(accountId);
    const known = new Set(store.get(allAtom).map(({ id }) => id));
    const free = await Promise.all(kept.map(async (each) => !known.has(each.id) && (await isFree(each.id))));
    const mine = kept.filter((_, at) => free[at] === true);
    store.set(allAtom, (all) => [...mine.map(asShown), ...all]);
    startNext();
  } catch (error) {
    logTrouble("Could not restore unfinished uploads", error);
  }
}

const lockName = (id: string) => `lamplight-upload-${id}`;

async function isFree(id: string): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks;
  return locks ? locks.request(lockName(id), { ifAvailable: true }, (lock) => lock !== null) : true;
}

/** One tab sends a file; without Web Locks, the server's offsets prevent corruption. */
function alone<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) return work();
  return locks.request(lockName(id), { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

function startNext(): void {
  for (const { id, state } of store.get(allAtom)) {
    if (stops.size >= MAX_RUNNING) return;
    if (state === "queued" && !stops.has(id)) begin(id);
  }
}

const running = new Map<string, Promise<void>>();

/** Starts after an earlier run of the same file has ended. */
function begin(id: string): void {
  const stopping = new AbortController();
  stops.set(id, stopping);
  const before = running.get(id) ?? Promise.resolve();
  const work = before
    .then(() => run(id, stopping))
    .finally(() => {
      if (running.get(id) === work) running.delete(id);
    });
  running.set(id, work);
}

async function run(id: string, stopping: AbortController): Promise<void> {
  try {
    const component = await alone(id, () => send(id, stopping));
    if (component) arrived(id, component);
    else if (find(id)?.state === "queued") remove(id);
  } catch (error) {
    failed(id, error);
  } finally {
    if (stops.get(id) === stopping) stops.delete(id);
    startNext();
  }
}

async function send(id: string, stopping: AbortController): Promise<Component | undefined> {
  const upload = find(id);
  if (!upload?.file) return undefined;
  const { pageId } = upload;
  const file = await asTaken(id, upload.file);
  const checked = await checkUpload(file);
  if ("problem" in checked) {
    refuse(id, checked.problem);
    return undefined;
  }
  const { signal } = stopping;
  if (signal.aborted) return undefined;
  change(id, { notice: checked.notice, state: "sending" });
  const seen = checked.family === "video" ? seeFilm(file) : undefined;
  const made = await runUpload({
    calls: callsFor({ id, pageId, file, family: checked.family, signal }),
    sizeBytes: file.size,
    pieceBytes: PIECE_BYTES,
    wait: (ms) => waitOrOnline(ms, signal),
    isStopped: () => signal.aborted,
    onProgress: (sentBytes) => change(id, { sentBytes: Math.min(file.size, sentBytes) }),
    onPhase: (state) => {
      if (!signal.aborted) change(id, { state });
    },
  });
  return (await (await seen)?.(made._id)) ?? made;
}

/** Converts a HEIC photo to JPEG if this browser can. */
async function asTaken(id: string, file: File): Promise<File> {
  if (!isHeic(new Uint8Array(await file.slice(0, 16).arrayBuffer()))) return file;
  const jpeg = await (await import("./heic.ts")).asJpeg(file);
  if (!jpeg) return file;
  change(id, { file: jpeg, name: jpeg.name, type: jpeg.type, sizeBytes: jpeg.size });
  const changed = find(id);
  if (changed) void keepUpload(keptPart(changed));
  return jpeg;
}

/** Probes a video while it uploads; resolves to a function that sends the result. */
async function seeFilm(file: File): Promise<(componentId: string) => Promise<Component | undefined>> {
  const { lookAtFilm, tellFilm } = await import("#webapp/video/film.ts");
  const facts = await lookAtFilm(file);
  return (componentId) => tellFilm(componentId, facts);
}

function waitOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

function end(id: string, component?: Component): void {
  endings.get(id)?.(component);
  endings.delete(id);
}

function arrived(id: string, component: Component): void {
  const upload = find(id);
  if (!upload) return;
  void forgetUpload(upload.accountId, id);
  for (const listener of listeners) listener(upload, component);
  if (upload.pageId === null) change(id, { state: "done", made: component });
  else remove(id);
  end(id, component);
  void loadContent();
  // Refresh the usage if it is shown.
  if (store.get(usageAtom) !== null) void loadUsage();
}

/** The file itself is invalid: a retry cannot help. */
function refuse(id: string, problem: string): void {
  const accountId = find(id)?.accountId;
  if (accountId !== undefined) void forgetUpload(accountId, id);
  change(id, { state: "failed", problem, canRetry: false });
  end(id);
}

function failed(id: string, error: unknown): void {
  if (error instanceof NoAnswer && error.reason === "aborted") return;
  const problem = friendlyFailure(error, "upload")?.message ?? "";
  if (error instanceof Failure && (error.status === 400 || error.status === 413)) refuse(id, problem);
  else change(id, { state: "failed", problem, canRetry: true });
  end(id);
}

/** Pauses an upload; also survives a reload. */
export function pauseUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  change(id, { state: "paused", isPaused: true });
  stops.get(id)?.abort();
  stops.delete(id);
  void keepUpload({ ...keptPart(upload), isPaused: true });
  startNext();
}

/** Resumes an upload that was paused or failed. */
export function resumeUpload(id: string): void {
  const upload = find(id);
  if (!upload?.file) return;
  change(id, { state: "queued", isPaused: false, problem: null });
  void keepUpload({ ...keptPart(upload), isPaused: false });
  startNext();
}

/** Cancels an upload, here and on the server. */
export function cancelUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  stops.get(id)?.abort();
  stops.delete(id);
  dismissUpload(id);
  // Best effort: the server removes abandoned uploads itself.
  if (upload.sizeBytes > PIECE_BYTES) client.pages.cancelUpload({ id }).catch(() => undefined);
  startNext();
}

export function dismissUpload(id: string): void {
  const upload = find(id);
  if (!upload) return;
  void forgetUpload(upload.accountId, id);
  remove(id);
  end(id);
}

/** Reattaches the file to an upload after a reload; false if it is a different file. */
export function giveFile(id: string, file: File): boolean {
  const upload = find(id);
  if (!upload || file.size !== upload.sizeBytes || file.name !== upload.name) return false;
  change(id, { file });
  resumeUpload(id);
  return true;
}
