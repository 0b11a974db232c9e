import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { limitsOf, remainingToday } from "#shared/billing/rules.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import type { Thread } from "#shared/tutor/schema.ts";
import { addUsage } from "#shared/billing/daily-usage.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { deleteCancelled } from "#webapp/library/delete-items.ts";
import { usageAtom } from "#webapp/user/usage.ts";

export type Threads = { state: "loading" } | { state: "failed" } | { state: "ready"; threads: readonly Thread[] };
export const threadsAtom = accountAtom<Threads>({ state: "loading" });

export interface ModelChoice {
  id: string;
  name: string;
  description: string;
}
interface Models {
  models: readonly ModelChoice[];
  defaultModel: string;
}
export const modelsAtom = accountAtom<Models | null>(null);
/** The model chosen on this device; null uses the server's default. */
export const modelAtom = accountAtom<string | null>(null);

/** Questions left today; null if unlimited or not loaded yet. */
export const questionsLeftAtom = atom((get) => {
  const [user, usage] = [get(userAtom), get(usageAtom)];
  if (!user || !usage) return null;
  const left = remainingToday(
    "assistantMessages",
    limitsOf(user.plan, Date.now()),
    addUsage(usage, "assistantMessages", 0, Date.now()),
  );
  return Number.isFinite(left) ? left : null;
});

/** Counts a question before the server does. Call with -1 if the question fails. */
export function countQuestion(delta: 1 | -1): void {
  store.set(usageAtom, (usage) => usage && addUsage(usage, "assistantMessages", delta, Date.now()));
}

export const loadModels = (): Promise<void> =>
  loadForAccount(
    () => client.tutor.listModels({}),
    (models) => store.set(modelsAtom, models),
    (error) => logWarning("Could not load the models", error),
  );

export const loadThreads = (): Promise<void> =>
  loadForAccount(
    () => client.tutor.listThreads({}),
    ({ threads }) => store.set(threadsAtom, { state: "ready", threads }),
    (error) => {
      logWarning("Could not load the conversations", error);
      if (store.get(threadsAtom).state !== "ready") store.set(threadsAtom, { state: "failed" });
    },
  );

/** Deleted conversations; they can be restored or deleted permanently. */
export const deletedThreadsAtom = accountAtom<Threads>({ state: "loading" });

export const loadDeletedThreads = (): Promise<void> =>
  loadForAccount(
    () => client.tutor.listThreads({ archived: "true" }),
    ({ threads }) => store.set(deletedThreadsAtom, { state: "ready", threads }),
    (error) => {
      logWarning("Could not load the deleted conversations", error);
      if (store.get(deletedThreadsAtom).state !== "ready") store.set(deletedThreadsAtom, { state: "failed" });
    },
  );

function dropDeletedThread(threadId: string): void {
  store.set(deletedThreadsAtom, (current) =>
    current.state === "ready"
      ? { state: "ready", threads: current.threads.filter(({ _id }) => _id !== threadId) }
      : current,
  );
}

export async function restoreThread(threadId: string): Promise<void> {
  dropDeletedThread(threadId);
  if (await setArchived(threadId, false)) notify({ message: t("tutor.restored"), type: "success" });
  await Promise.all([loadThreads(), loadDeletedThreads()]);
}

export async function deleteThreadPermanently(threadId: string): Promise<void> {
  try {
    await client.tutor.deleteThread({ threadId });
    dropDeletedThread(threadId);
    notify({ message: t("tutor.deleted_permanently"), type: "success" });
  } catch (error) {
    reportAndReload("Could not delete a conversation permanently", error);
    void loadDeletedThreads();
  }
}

function updateListedThread(threadId: string, change: (thread: Thread) => Thread | undefined): void {
  store.set(threadsAtom, (current) =>
    current.state === "ready"
      ? {
          state: "ready",
          threads: current.threads.flatMap((thread) => (thread._id === threadId ? (change(thread) ?? []) : [thread])),
        }
      : current,
  );
}

/** Reports a failed change and reloads the server's state. */
function reportAndReload(logMessage: string, error: unknown): void {
  logWarning(logMessage, error);
  const message = toFailureMessage(error)?.message;
  if (message !== undefined) notify({ message, type: "error" });
  void loadThreads();
}

export async function renameThread(threadId: string, title: string): Promise<void> {
  updateListedThread(threadId, (thread) => ({ ...thread, title }));
  try {
    await client.tutor.changeThread({ threadId, title });
  } catch (error) {
    reportAndReload("Could not rename a conversation", error);
  }
}

async function setArchived(threadId: string, archived: boolean): Promise<boolean> {
  try {
    await client.tutor.changeThread({ threadId, archived });
    return true;
  } catch (error) {
    reportAndReload("Could not change a conversation", error);
    return false;
  }
}

/** Archives the thread; the notification offers an undo. */
export async function removeThread(threadId: string): Promise<void> {
  updateListedThread(threadId, () => undefined);
  if (!(await setArchived(threadId, true))) return;
  const restore = async () => {
    if (await setArchived(threadId, false)) notify({ message: t("tutor.restored"), type: "success" });
    await loadThreads();
  };
  notify({
    message: t("tutor.removed"),
    type: "success",
    action: { label: t("common.undo"), run: () => void restore() },
  });
}

/** Requests a title for a conversation from the server, which needs at least two messages. */
export async function nameThread(threadId: string): Promise<void> {
  try {
    await client.tutor.nameThread({ threadId });
    await loadThreads();
  } catch (error) {
    logWarning("Could not name a conversation", error);
  }
}

/** Stores an uploaded file on a page of its own, so that citations can open it. An aborted upload leaves nothing. */
export async function uploadSource(
  file: File,
  options: { signal?: AbortSignal } = {},
): Promise<{ componentId: string; title: string } | undefined> {
  const componentId = ulid();
  try {
    const files = [{ field: "file", file, name: file.name }];
    const { component } = await client.uploads.uploadImageComponent({ componentId }, files, options);
    if (!options.signal?.aborted) return { componentId: component._id, title: file.name };
    await deleteCancelled(componentId, null);
    return undefined;
  } catch (error) {
    if (options.signal?.aborted) await deleteCancelled(componentId, null);
    const message = toFailureMessage(error, "upload")?.message;
    if (message !== undefined) notify({ message, type: "error" });
    return undefined;
  }
}

export const isTransient = (error: unknown) =>
  (error instanceof NoResponseError && error.reason !== "aborted") || (error instanceof Failure && error.status >= 502);
