import { atom } from "jotai/vanilla";
import { limitsOf, remainingToday } from "#shared/billing/rules.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { ResearchDepth, ResearchSummary, SearchSource, SearchSourceState } from "#shared/research/schema.ts";
import { addUsage } from "#shared/billing/daily-usage.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, watchSession } from "#webapp/app/session/load-for-account.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { showResearch } from "#webapp/library/content.ts";
import { archiveResearch } from "#webapp/library/delete-items.ts";
import { listCachedResearch, removeCachedResearch } from "#webapp/offline/research-cache.ts";
import { usageAtom } from "#webapp/user/usage.ts";

export type ResearchList =
  | { state: "loading" }
  | { state: "failed" }
  | { state: "offline" }
  | {
      state: "ready";
      sessions: readonly ResearchSummary[];
      /** True if the server was unreachable and only the sessions saved in this browser are listed. */
      isOffline?: boolean;
    };

export const researchListAtom = accountAtom<ResearchList>({ state: "loading" });
export const searchSourcesAtom = accountAtom<readonly SearchSourceState[]>([]);
/** Whether the list of search sources could not be loaded. */
export const searchSourcesFailedAtom = accountAtom(false);
/** The model that writes results; null if none is configured. */
export const writingModelAtom = accountAtom<string | null>(null);

/** The depth of the next question; stays until the page is reloaded. */
export const depthAtom = accountAtom<ResearchDepth>("standard");
/** Sources that the student switched off. */
export const switchedOffAtom = accountAtom<readonly SearchSource[]>([]);
/** Whether queries that are sent to search services may contain words from the library. */
export const mayQuoteLibraryAtom = accountAtom(false);
/** Whether sentences that no source supports are shown in grey instead of being left out. */
export const showsUnsupportedAtom = accountAtom(false);

/** The student's choices for the next question. */
export function readChoices() {
  const off = new Set(store.get(switchedOffAtom));
  const lookIn = store
    .get(searchSourcesAtom)
    .map(({ name }) => name)
    .filter((name) => name === "library" || !off.has(name));
  return {
    depthState: store.get(depthAtom),
    // Until the sources are loaded, the server chooses them.
    ...(lookIn.length > 0 && { lookIn }),
    mayQuoteLibrary: store.get(mayQuoteLibraryAtom),
    isStrict: !store.get(showsUnsupportedAtom),
  };
}

/** Questions left to research today; null if not loaded yet. */
export const researchLeftAtom = atom((get) => {
  const [user, usage] = [get(userAtom), get(usageAtom)];
  if (!user || !usage) return null;
  const today = addUsage(usage, "researchMessages", 0, Date.now());
  return remainingToday("researchMessages", limitsOf(user.plan, Date.now()), today);
});

/** Call with 1 when a question is sent, and with -1 if it fails. */
export function adjustResearchUsage(delta: 1 | -1): void {
  store.set(usageAtom, (usage) => usage && addUsage(usage, "researchMessages", delta, Date.now()));
}

export const loadResearchList = (): Promise<void> =>
  loadForAccount(
    () => client.research.listConversations({}),
    ({ conversations }) => store.set(researchListAtom, { state: "ready", sessions: conversations }),
    async (error, isCurrent) => {
      const isOffline = error instanceof NoResponseError;
      if (!isOffline && store.get(researchListAtom).state === "ready") return;
      logWarning("Could not load the research sessions", error);
      const saved = isOffline ? await listCachedResearch(store.get(accountIdAtom) ?? "") : [];
      if (!isCurrent()) return;
      if (saved.length > 0) store.set(researchListAtom, { state: "ready", sessions: saved, isOffline: true });
      else store.set(researchListAtom, { state: isOffline ? "offline" : "failed" });
    },
  );

export const loadSearchSources = (): Promise<void> =>
  loadForAccount(
    () => client.research.listSearchSources({}),
    ({ sources, model }) => {
      store.set(searchSourcesAtom, sources);
      store.set(searchSourcesFailedAtom, false);
      store.set(writingModelAtom, model);
    },
    (error) => {
      logWarning("Could not load the search sources", error);
      store.set(searchSourcesFailedAtom, store.get(searchSourcesAtom).length === 0);
    },
  );

/** Puts a session at the top of the list in place of its older copy. Does nothing until the list is loaded. */
export function moveToTopOfList(summary: ResearchSummary): void {
  store.set(researchListAtom, (list) =>
    list.state === "ready"
      ? { state: "ready", sessions: [summary, ...list.sessions.filter(({ _id }) => _id !== summary._id)] }
      : list,
  );
}

function report(logMessage: string, error: unknown): void {
  logWarning(logMessage, error);
  const message = toFailureMessage(error)?.message;
  if (message !== undefined) notify({ message, type: "error" });
}

/** Archives a session; the notice offers an undo. */
export async function archiveResearchSession(id: string): Promise<void> {
  store.set(researchListAtom, (list) =>
    list.state === "ready" ? { state: "ready", sessions: list.sessions.filter(({ _id }) => _id !== id) } : list,
  );
  if (await archiveResearch(id, () => void loadResearchList()))
    await removeCachedResearch(store.get(accountIdAtom) ?? "", id);
  else await loadResearchList();
}

/** Resolves to whether the title was saved. */
export async function renameResearchSession(id: string, title: string): Promise<boolean> {
  const isCurrent = watchSession();
  try {
    const { conversation } = await client.research.changeConversation({ id, conversation_title: title });
    if (!isCurrent()) return true;
    store.set(researchListAtom, (list) =>
      list.state === "ready"
        ? {
            state: "ready",
            sessions: list.sessions.map((session) => (session._id === id ? { ...session, ...conversation } : session)),
          }
        : list,
    );
    showResearch(conversation);
    return true;
  } catch (error) {
    report("Could not rename a research session", error);
    return false;
  }
}

/** Copies a session; resolves to the id of the copy. */
export async function duplicateResearchSession(id: string): Promise<string | undefined> {
  const isCurrent = watchSession();
  try {
    const { conversation } = await client.research.duplicateConversation({ id });
    if (!isCurrent()) return undefined;
    moveToTopOfList(conversation);
    showResearch(conversation);
    return conversation._id;
  } catch (error) {
    report("Could not copy a research session", error);
    return undefined;
  }
}
