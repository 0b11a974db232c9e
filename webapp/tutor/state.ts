import { atom } from "jotai/vanilla";
import { ulid } from "ulid";
import { limitsOf, remaining } from "#shared/billing/rules.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { t } from "#shared/messages/translate.ts";
import type { Thread } from "#shared/tutor/schema.ts";
import { countLocally } from "#shared/user/rules.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
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

export const BUILTIN = "lamplight-builtin";

/** Questions left today; null if unlimited or not loaded yet. */
export const questionsLeftAtom = atom((get) => {
  const [user, usage] = [get(userAtom), get(usageAtom)];
  if (!user || !usage) return null;
  const left = remaining(
    "assistantMessages",
    limitsOf(user.plan, Date.now()),
    countLocally(usage, "assistantMessages", 0, Date.now()),
  );
  return Number.isFinite(left) ? left : null;
});

/** Optimistic count, reverted when a question fails. */
export function countQuestion(by: 1 | -1): void {
  store.set(usageAtom, (usage) => usage && countLocally(usage, "assistantMessages", by, Date.now()));
}

export async function loadModels(): Promise<void> {
  try {
    store.set(modelsAtom, await client.tutor.listModels({}));
  } catch (error) {
    logTrouble("Could not load the models", error);
  }
}

export async function loadThreads(): Promise<void> {
  try {
    const { threads } = await client.tutor.listThreads({});
    store.set(threadsAtom, { state: "ready", threads });
  } catch (error) {
    logTrouble("Could not load the conversations", error);
    if (store.get(threadsAtom).state !== "ready") store.set(threadsAtom, { state: "failed" });
  }
}

function changeListed(threadId: string, change: (thread: Thread) => Thread | undefined): void {
  store.set(threadsAtom, (held) =>
    held.state === "ready"
      ? {
          state: "ready",
          threads: held.threads.flatMap((thread) => (thread._id === threadId ? (change(thread) ?? []) : [thread])),
        }
      : held,
  );
}

/** Reports a failed change and reloads the server's state. */
function undo(what: string, error: unknown): void {
  logTrouble(what, error);
  const message = friendlyFailure(error)?.message;
  if (message !== undefined) notify({ message, type: "error" });
  void loadThreads();
}

export async function renameThread(threadId: string, title: string): Promise<void> {
  changeListed(threadId, (thread) => ({ ...thread, title }));
  try {
    await client.tutor.changeThread({ threadId, title });
  } catch (error) {
    undo("Could not rename a conversation", error);
  }
}

async function setArchived(threadId: string, archived: boolean): Promise<boolean> {
  try {
    await client.tutor.changeThread({ threadId, archived });
    return true;
  } catch (error) {
    undo("Could not change a conversation", error);
    return false;
  }
}

/** Archives the thread; the notification offers an undo. */
export async function removeThread(threadId: string): Promise<void> {
  changeListed(threadId, () => undefined);
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

/** The server titles a conversation once it has two messages. */
export async function nameThread(threadId: string): Promise<void> {
  try {
    await client.tutor.nameThread({ threadId });
    await loadThreads();
  } catch (error) {
    logTrouble("Could not name a conversation", error);
  }
}

/** Stores an uploaded file on a page of its own, so that citations can open it. */
export async function uploadSource(file: File): Promise<{ componentId: string; title: string } | undefined> {
  try {
    const input = { componentId: ulid() };
    const { component } = await client.pages.uploadImageComponent(input, [{ field: "file", file, name: file.name }]);
    return { componentId: component._id, title: file.name };
  } catch (error) {
    const message = friendlyFailure(error, "upload")?.message;
    if (message !== undefined) notify({ message, type: "error" });
    return undefined;
  }
}

export const isPassing = (error: unknown) =>
  (error instanceof NoAnswer && error.reason !== "aborted") || (error instanceof Failure && error.status >= 502);
