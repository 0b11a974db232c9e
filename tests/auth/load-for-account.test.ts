// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import type { Favorite, Folder } from "#shared/library/schema.ts";
import { Preferences, type Usage } from "#shared/user/schema.ts";
import { setReload } from "#webapp/app/browser/language.ts";
import { readLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { completeSignIn, setUser, signOut, startSession, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { foldersAtom, loadFolders } from "#webapp/library/folders.ts";
import { pinsAtom, unpin } from "#webapp/library/pins.ts";
import { loadUsage, usageAtom } from "#webapp/user/usage.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const grace = { ...ada, _id: "01JD00000000000000000GRACE", name: "Grace" };

/** The app of an account at home; `enter` signs the other account in after this one has left. */
async function openHome(answers: Answers) {
  let user = ada;
  const getUser = () => ({ user, organization: null, tempToken: "temp" });
  const app = await openApp("/home", { signedIn: true, answers: { ...answers, auth: { getUser } } });
  await waitFor(() => expect(store.get(foldersAtom)).toBeDefined());
  const enter = async (next: typeof ada) => {
    user = next;
    await act(() => completeSignIn({ user: next, token: `token-of-${next.name}` }));
    await act(() => app.router.navigate({ to: "/home" }));
  };
  return { enter, leave: () => act(signOut) };
}

function startLoading() {
  const request = createDeferred<() => string>();
  const seen: string[] = [];
  const loading = loadForAccount(
    async () => (await request.promise)(),
    (loaded) => void seen.push(loaded),
    () => void seen.push("failed"),
  );
  const end = async (answer: () => string) => {
    request.resolve(answer);
    await loading;
    return seen;
  };
  return { arrive: () => end(() => "loaded"), fail: () => end(() => refuse("broken", "No")) };
}

test("what arrives in the same session is applied, also if the account was identified meanwhile", async () => {
  const early = startLoading();
  const { leave } = await openHome({});
  expect(await early.arrive()).toEqual(["loaded"]);
  const late = [startLoading(), startLoading()] as const;
  act(() => setUser({ ...ada, name: "Ada L." }));
  expect(await late[0].arrive()).toEqual(["loaded"]);
  expect(await late[1].fail()).toEqual(["failed"]);
  await leave();
});

test("what arrives after signing out is dropped, also if the same account has signed in again", async () => {
  const { enter, leave } = await openHome({});
  const loads = [startLoading(), startLoading(), startLoading(), startLoading()] as const;
  await leave();
  expect(await loads[0].arrive()).toEqual([]);
  expect(await loads[1].fail()).toEqual([]);
  await enter(ada);
  expect(await loads[2].arrive()).toEqual([]);
  expect(await loads[3].fail()).toEqual([]);
});

test("what another tab's account has replaced is dropped", async () => {
  await openHome({});
  const load = startLoading();
  act(() => setUser(grace));
  expect(await load.arrive()).toEqual([]);
  await act(startSession);
});

const aFolder = (user_id: string, title: string): Folder => ({
  _id: `folder-of-${user_id}`,
  title,
  user_id,
  color: "GREEN",
  created_at: 1,
  updated_at: 1,
  items: [],
  is_archived: false,
  archived_at: null,
  is_expanded: true,
});

test("signing out while home is being opened leaves the next sign-in working", async () => {
  const ofAda = { folders: [aFolder(ada._id, "Cells")] };
  const app = await openApp("/home", { signedIn: true, answers: { library: { listFolders: () => ofAda } } });
  await waitFor(() => expect(store.get(userAtom)?._id).toBe(ada._id));
  await act(signOut);
  await act(() => completeSignIn({ user: ada, token: "token-of-ada" }));
  await act(() => app.router.navigate({ to: "/home" }));
  await screen.findByRole("link", { name: "Cells" });
});

const shownFolders = () => store.get(foldersAtom)?.map(({ title }) => title);

test("folders that arrive after another account signed in are neither shown nor stored", async () => {
  const late = createDeferred<{ folders: Folder[] }>();
  const ofAda = { folders: [aFolder(ada._id, "Ada's secret")] };
  const ofGrace = { folders: [aFolder(grace._id, "Grace's notes")] };
  let answer: typeof ofAda | typeof late.promise = ofAda;
  const { enter, leave } = await openHome({ library: { listFolders: () => answer } });
  await screen.findByRole("link", { name: "Ada's secret" });
  answer = late.promise;
  const loading = loadFolders();
  answer = ofGrace;
  await leave();
  await enter(grace);
  await screen.findByRole("link", { name: "Grace's notes" });
  late.resolve(ofAda);
  await act(() => loading);
  expect(shownFolders()).toEqual(["Grace's notes"]);
  expect(screen.queryByRole("link", { name: "Ada's secret" })).toBeNull();
  expect(readLocal("lamplight_folders")).not.toContain("Ada's secret");
});

const aUsage = (userId: string, fileUploads: number): Usage => ({
  userId,
  period: "2026-11-20",
  assistantMessages: 0,
  researchMessages: 0,
  totalCardsStudied: 0,
  fileUploads,
  podcastCreations: 0,
  autocompleteWords: 0,
  createdAt: 0,
});

test("usage that arrives after signing out is not shown to the next account", async () => {
  const late = createDeferred<Usage>();
  let answer: Usage | Promise<Usage> = late.promise;
  const { enter, leave } = await openHome({ user: { getUsage: () => answer } });
  const loading = loadUsage();
  answer = aUsage(grace._id, 1);
  await leave();
  await enter(grace);
  await act(loadUsage);
  late.resolve(aUsage(ada._id, 9));
  await act(() => loading);
  expect(store.get(usageAtom)).toEqual(aUsage(grace._id, 1));
});

const aPin = (userId: string, itemId: string): Favorite => ({
  _id: itemId,
  userId,
  itemId,
  itemType: "page",
  data: { title: itemId },
  createdAt: 1,
  sortIndex: 1,
});

const shownPins = () => store.get(pinsAtom).map(({ itemId }) => itemId);

test("a pin that another account failed to remove does not return into this account's list", async () => {
  const refusal = createDeferred<undefined>();
  let favorites = [aPin(ada._id, "cells")];
  const removeFavorite = async () => {
    await refusal.promise;
    return refuse("broken", "No");
  };
  const { enter, leave } = await openHome({ library: { getFavorites: () => ({ favorites }), removeFavorite } });
  await waitFor(() => expect(shownPins()).toEqual(["cells"]));
  const removing = unpin("cells");
  favorites = [aPin(grace._id, "genes")];
  await leave();
  await enter(grace);
  await waitFor(() => expect(shownPins()).toEqual(["genes"]));
  refusal.resolve(undefined);
  await act(() => removing);
  expect(shownPins()).toEqual(["genes"]);
});

type Part = Readonly<Record<string, unknown>>;

/** Ada's next save is answered by `answer` only after Grace has signed in; `stored` is what the server has of Grace. */
async function savePreferencesLate(start: () => void) {
  const late = createDeferred<() => Preferences>();
  let stored: Part = {};
  let save: (sent: Part) => Promise<Preferences> = async () => (await late.promise)();
  const calls: Part[] = [];
  const savePreferences = (sent: Part) => {
    calls.push(sent);
    return save(sent);
  };
  const getPreferences = () => Preferences.parse(stored);
  const { enter, leave } = await openHome({ user: { getPreferences, savePreferences } });
  start();
  await waitFor(() => expect(calls).toHaveLength(1));
  save = async (sent) => {
    stored = sent;
    return Preferences.parse(sent);
  };
  await leave();
  await enter(grace);
  return { answer: (next: () => Preferences) => late.resolve(next), stored: () => stored };
}

const pinSidebar = () =>
  changePreferences((preferences) => ({ ...preferences, sidebar: { ...preferences.sidebar, pinned: true } }));

test.each([
  ["change", () => void pinSidebar()],
  [
    "change of an earlier visit",
    () => {
      writeLocal("lamplight_preferences_unsent", '{"sidebar":{"pinned":true}}');
      window.dispatchEvent(new Event("online"));
    },
  ],
])("a %s that is refused after another account signed in leaves its settings as they are", async (_, start) => {
  const { answer, stored } = await savePreferencesLate(start);
  const saving = pinSidebar();
  answer(() => refuse("bad_input", "No"));
  await act(() => saving);
  expect(stored()).toEqual({ sidebar: { pinned: true } });
  expect(store.get(preferencesAtom).sidebar.pinned).toBe(true);
  expect(screen.queryByText("Failed to update settings")).toBeNull();
});

test("a language that is saved after another account signed in does not become its language", async () => {
  let reloads = 0;
  setReload(() => void (reloads += 1));
  onTestFinished(() => setReload(() => location.reload()));
  let saving: Promise<void> | undefined;
  const { answer } = await savePreferencesLate(() => {
    saving = changePreferences((preferences) => ({
      ...preferences,
      appearance: { ...preferences.appearance, language: "de" },
    }));
  });
  answer(() => Preferences.parse({ appearance: { language: "de" } }));
  await act(async () => saving);
  expect([reloads, readLocal("lamplight_language")]).toEqual([0, null]);
});
