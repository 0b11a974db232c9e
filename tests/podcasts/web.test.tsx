// @vitest-environment happy-dom
import { Blob as NodeBlob } from "node:buffer";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { Failure } from "#shared/contract/failure.ts";
import { LISTENING_POLL_MS, POLL_INTERVAL_MS } from "#shared/podcasts/rules.ts";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { showPodcast } from "#webapp/library/content.ts";
import { unload } from "#webapp/podcasts/player.ts";
import { cacheList } from "#webapp/offline/list-cache.ts";
import { cachePodcast, removeCachedPodcast } from "#webapp/offline/podcast-cache.ts";
import { listSaved } from "#webapp/podcasts/sound.ts";
import { setUser, startSession } from "#webapp/app/session/session.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { ada, type Answers, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aPodcast, holding } from "./a-podcast.ts";
import { aFakeSound } from "./fake-sound.ts";

async function openMenu(answers: Answers) {
  await openApp("/podcasts", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "More for Inside cells" }));
  return user;
}

test("deleting a podcast shows 'Podcast deleted', and undoing it 'Podcast restored'", async () => {
  const user = await openMenu(holding(aPodcast()));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Podcast deleted");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Podcast restored");
  await screen.findByRole("link", { name: "Inside cells" });
});

test("a podcast is pinned from its menu", async () => {
  const pinned: unknown[] = [];
  const pinTo = (sent: Record<string, unknown>) => {
    pinned.push(sent);
    const data = { componentType: "podcast" as const, title: "Inside cells" };
    return {
      favorite: {
        _id: "pin",
        userId: "ada",
        itemId: aPodcast()._id,
        itemType: "component" as const,
        data,
        createdAt: 1,
        sortIndex: 1,
      },
    };
  };
  const user = await openMenu({
    ...holding(aPodcast()),
    library: { getFavorites: () => ({ favorites: [] }), addFavorite: pinTo },
  });
  await user.click(await screen.findByRole("menuitem", { name: "Pin to sidebar" }));
  expect(pinned).toEqual([{ itemId: aPodcast()._id, itemType: "component" }]);
  await user.click(screen.getByRole("button", { name: "More for Inside cells" }));
  await screen.findByRole("menuitem", { name: "Remove pin" });
});

test("if deleting or restoring fails, the podcast stays as it is", async () => {
  const user = await openMenu(holding(aPodcast(), { updatePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Failed to delete podcast");
  await screen.findByRole("link", { name: "Inside cells" });
});

test("deleting a podcast on its own screen leads home; a deleted one can be restored on its screen", async () => {
  let isArchived = true;
  const podcast = () => aPodcast({ is_archived: isArchived, archived_at: isArchived ? 1 : null });
  const updatePodcast = (sent: Record<string, unknown>) => {
    isArchived = sent["is_archived"] === true;
    return { podcast: podcast() };
  };
  const answers = holding(aPodcast(), { getPodcast: () => ({ podcast: podcast() }), updatePodcast });
  const { address } = await openApp(`/podcast/${aPodcast()._id}`, { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Restore" }));
  await screen.findByText("Podcast restored");
  await expect.poll(() => screen.queryByText("You deleted this podcast.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "More for Inside cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Podcast deleted");
  await expect.poll(address).toBe("/home");
});

test("a deletion that cannot be undone shows a message", async () => {
  let calls = 0;
  const podcast = aPodcast();
  const updatePodcast = () => (++calls > 1 ? refuse("broken", "No") : { podcast: { ...podcast, is_archived: true } });
  const user = await openMenu(holding(podcast, { updatePodcast }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("Failed to restore podcast");
});

test("a podcast is deleted permanently only after a confirmation, and stays if the deletion fails", async () => {
  const user = await openMenu(holding(aPodcast(), { deletePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete permanently" }));
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  await screen.findByText("Failed to delete podcast. Please try again.");
});

test("a name that cannot be saved shows a message", async () => {
  const user = await openMenu(holding(aPodcast(), { updatePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));
  await screen.findByText("Failed to update podcast. Please try again.");
});

test("a podcast that was not finished shows the reason; a failed retry shows a message", async () => {
  const error = { message: "The speech server is busy. Please try again later.", reason: "podcast_speech_busy" };
  const failed = aPodcast({ status: "failed", error, duration_ms: 0 });
  const full = new Failure("storage_full", "disk_full");
  let isFull = false;
  const retryPodcast = () => {
    if (isFull) throw full;
    return refuse("broken", "No");
  };
  const answers = holding(failed, { retryPodcast });
  await openApp(`/podcast/${failed._id}`, { signedIn: true, answers });
  await screen.findByText(error.message);
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Failed to retry podcast generation. Please try again.");
  isFull = true;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText(full.message);
});

test.each([
  ["becomes ready", {}, "“Inside cells” is ready"],
  ["fails", { status: "failed", duration_ms: 0 }, "“Inside cells” was not finished"],
] as const)("a podcast that %s is announced", async (_, end, message) => {
  let isDone = false;
  const podcast = () => (isDone ? aPodcast(end) : aPodcast({ status: "generating_audio", duration_ms: 0 }));
  const answers = holding(aPodcast(), { getPodcast: () => ({ podcast: podcast() }) });
  answers.pages = { getContent: () => ({ content: { pages: [], components: [], podcasts: [podcast()] } }) };
  await openApp("/podcasts", { signedIn: true, answers });
  await screen.findByText("Recording");
  isDone = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await screen.findByText(message);
  expect(screen.queryByText("Recording")).toBeNull();
});

test("a student who is elsewhere gets a notification when a podcast is ready, if they have allowed it", async () => {
  const shown: [string, { data: { path: string } }][] = [];
  const registration = {
    active: {},
    showNotification: (...sent: [string, { data: { path: string } }]) => Promise.resolve(void shown.push(sent)),
  };
  vi.stubGlobal("Notification", { permission: "granted" });
  const { serviceWorker } = navigator;
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: () => Promise.resolve(registration), addEventListener: () => undefined },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  });
  await openApp("/podcasts", { signedIn: true, answers: holding(aPodcast()) });
  await screen.findByRole("link", { name: "Inside cells" });
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const finishAnother = () => {
    act(() => showPodcast(aPodcast({ status: "generating_audio", duration_ms: 0 })));
    act(() => showPodcast(aPodcast()));
    return shown.length;
  };
  await expect.poll(finishAnother).toBeGreaterThan(0);
  expect(shown[0]).toMatchObject(["“Inside cells” is ready", { data: { path: `/podcast/${aPodcast()._id}` } }]);
});

/** The app has one player, so the tests share its sound. */
const sound = aFakeSound();

const savePosition = () => ({ success: true as const });

/** Plays an episode that is being made on its own screen, then opens another screen. */
async function listenWhileMaking() {
  vi.stubGlobal("Audio", sound.create);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const state = { podcast: aPodcast({ status: "generating_audio", duration_ms: 12_000 }), isBroken: false, signed: 0 };
  const signAudio = () => {
    if (state.isBroken) return refuse("broken", "No");
    state.signed += 1;
    const { duration_ms: durationMs } = state.podcast;
    return { url: `/v1/podcasts/audio/${state.signed}`, sizeBytes: 1, durationMs, expiresAt: 1 };
  };
  const answers = holding(state.podcast, { getPodcast: () => ({ podcast: state.podcast }), signAudio, savePosition });
  answers.pages = { getContent: () => ({ content: { pages: [], components: [], podcasts: [state.podcast] } }) };
  sound.fault = null;
  await openApp(`/podcast/${state.podcast._id}`, { signedIn: true, answers });
  onTestFinished(() => act(unload));
  await userEvent.setup().click(await screen.findByRole("button", { name: "Play" }));
  await screen.findByRole("button", { name: "Pause" });
  act(() => goTo("/podcasts"));
  await screen.findByRole("region", { name: "Now playing" });
  const change = (more: Partial<Podcast>) => {
    state.podcast = { ...state.podcast, ...more, updated_at: state.podcast.updated_at + 1 };
    document.dispatchEvent(new Event("visibilitychange"));
  };
  return { state, change };
}

test("on another screen the mini player says that all is heard, plays the rest, and says that a sound is broken", async () => {
  const { state, change } = await listenWhileMaking();
  act(() => {
    sound.hearAt(12);
    sound.element?.dispatchEvent(new Event("ended"));
  });
  const mini = within(screen.getByRole("region", { name: "Now playing" }));
  mini.getByText(/^You have heard everything recorded so far/);
  change({ duration_ms: 30_000, title: "Inside all cells" });
  await expect.poll(() => state.signed).toBe(2);
  await expect.poll(() => mini.queryByText(/^You have heard everything/)).toBeNull();
  expect(sound.element?.currentTime).toBe(12);
  await mini.findByRole("link", { name: /Inside all cells/ });
  state.isBroken = true;
  sound.fault = { code: 2 } as MediaError;
  act(() => void sound.element?.dispatchEvent(new Event("error")));
  await mini.findByText("The sound could not be loaded. Try again in a moment.");
});

test("an episode that is archived while it is made stops, and is not announced", async () => {
  const { change } = await listenWhileMaking();
  change({ is_archived: true, archived_at: 1 });
  await expect.poll(() => screen.queryByRole("region", { name: "Now playing" })).toBeNull();
  change({ status: "completed", duration_ms: 300_000 });
  await act(async () => undefined);
  expect(screen.queryByText("“Inside cells” is ready")).toBeNull();
});

test.each([
  ["on its own screen", `/podcast/${aPodcast()._id}`, LISTENING_POLL_MS],
  ["in the list", "/podcasts", POLL_INTERVAL_MS],
])("%s an episode is followed although the server failed in between", async (_, path, intervalMs) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let fetched = 0;
  const making = aPodcast({ status: "generating_audio", duration_ms: 12_000 });
  let getPodcast = () => ({ podcast: making });
  const answers = holding(making, { getPodcast: () => getPodcast() });
  await openApp(path, { signedIn: true, answers });
  await screen.findByText(/^(?:Your podcast is being made|Recording)$/);
  getPodcast = () => {
    fetched += 1;
    return refuse("broken", "No");
  };
  await act(() => vi.advanceTimersByTimeAsync(intervalMs));
  await expect.poll(() => fetched).toBeGreaterThan(0);
  getPodcast = () => ({ podcast: aPodcast() });
  await act(() => vi.advanceTimersByTimeAsync(intervalMs));
  await expect.poll(() => screen.queryByText(/^(?:Your podcast is being made|Recording)$/)).toBeNull();
});

/** Saves episodes on this device. */
async function saveCopies(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const podcast = aPodcast({ _id: id });
    // The test document's own `Blob` cannot be stored.
    const audio = new NodeBlob(["sound"]) as Blob;
    await cachePodcast(ada._id, { id, podcast, transcript: { lines: [], chapters: [] }, audio });
  }
}
const listSavedIds = async () => (await listSaved()).map(({ id }) => id);

test("the copies of deleted episodes are removed from this device", async () => {
  const existing = aPodcast();
  await saveCopies(existing._id, "deleted-elsewhere");
  let isGone = false;
  const answers = holding(existing, { getPodcast: () => (isGone ? refuse("not_found", "No") : { podcast: existing }) });
  await openApp("/podcasts", { signedIn: true, answers });
  await expect.poll(listSavedIds).toEqual([existing._id]);
  isGone = true;
  act(() => goTo(`/podcast/${existing._id}`));
  await screen.findByText("Podcast not found");
  await expect.poll(listSavedIds).toEqual([]);
});

test("after a start without a network, the copies stay when one episode is renamed and another is gone", async () => {
  const [renamed, gone] = [aPodcast(), aPodcast({ _id: "01JD000000000000000GENES" })];
  const copies = [renamed._id, gone._id, "01JD00000000000000OTHER1", "01JD00000000000000OTHER2"];
  await saveCopies(...copies);
  onTestFinished(async () => void (await Promise.all(copies.map((id) => removeCachedPodcast(ada._id, id)))));
  await cacheList(ada._id, "content", { pages: [], components: [] });
  let isGone = false;
  const answers = holding(renamed, { getPodcast: () => (isGone ? refuse("not_found", "No") : { podcast: renamed }) });
  answers.pages = { getContent: noNetwork };
  await openApp("/podcasts", { signedIn: true, answers });
  const user = userEvent.setup();
  act(() => goTo(`/podcast/${renamed._id}`));
  await user.click(await screen.findByRole("button", { name: "More for Inside cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));
  await expect.poll(() => screen.queryByRole("button", { name: "Save" })).toBeNull();
  isGone = true;
  act(() => goTo(`/podcast/${gone._id}`));
  await screen.findByText("Podcast not found");
  await expect.poll(listSavedIds).not.toContain(gone._id);
  await act(() => new Promise((resolve) => setImmediate(resolve)));
  expect(await listSavedIds()).toEqual(copies.filter((id) => id !== gone._id));
});

/** Ada's episode on its own screen, with two chapters and their lines. */
async function openEpisode(signed: string[] = []) {
  const line = { citation: null, pauseMs: 0, speaker: "host" } as const;
  const transcript = {
    lines: [
      { ...line, chapter: 0, text: "What is a cell?", startMs: 0, endMs: 5000 },
      { ...line, chapter: 1, text: "How does a cell divide?", startMs: 60_000, endMs: 65_000 },
    ],
    chapters: [
      { title: "Cells", startMs: 0 },
      { title: "Division", startMs: 60_000 },
    ],
  };
  const more: Answers["podcasts"] = {
    getTranscript: () => transcript,
    signAudio: () => {
      const url = `/v1/podcasts/audio/${signed.length}`;
      signed.push(url);
      return { url, sizeBytes: 1, durationMs: 300_000, expiresAt: 1 };
    },
    savePosition,
  };
  const podcast = aPodcast({ position_ms: 20_000 });
  await openApp(`/podcast/${podcast._id}`, { signedIn: true, answers: holding(podcast, more) });
  await screen.findByRole("button", { name: "Play" });
  onTestFinished(() => act(unload));
  return userEvent.setup();
}

test("the keys of the player play, pause, seek, change the speed, step through chapters and reach the transcript", async () => {
  vi.stubGlobal("Audio", sound.create);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const user = await openEpisode();
  const press = async (key: string, seconds: number) => {
    await user.keyboard(key);
    await expect.poll(() => sound.element?.currentTime).toBe(seconds);
    act(() => sound.hearAt(seconds));
  };
  // The episode continues where the listener stopped on another device.
  await press(" ", 20);
  await screen.findByRole("button", { name: "Pause" });
  await press("{ArrowRight}", 35);
  await press("{ArrowLeft}", 20);
  await press("n", 60);
  await press("p", 0);
  await user.keyboard("]");
  expect(sound.element?.playbackRate).toBe(1.1);
  await user.keyboard("[[");
  expect(sound.element?.playbackRate).toBe(1);
  await user.keyboard("k");
  await screen.findByRole("button", { name: "Play" });
  await user.keyboard("t");
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Find in transcript" }));
  await user.keyboard("divide n");
  await screen.findByText("Not found");
  expect(sound.element?.currentTime).toBe(0);
});

test("dragging the slider fetches the sound once, and a paused episode stays paused", async () => {
  vi.stubGlobal("Audio", sound.create);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const signed: string[] = [];
  const user = await openEpisode(signed);
  const slider = screen.getByRole("slider", { name: "Position" });
  const drag = (...seconds: number[]) =>
    act(() => {
      for (const value of seconds) fireEvent.change(slider, { target: { value } });
    });
  drag(100, 110, 120);
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  expect([signed, sound.element?.currentTime]).toEqual([["/v1/podcasts/audio/0"], 120]);
  drag(130, 140);
  await act(async () => undefined);
  screen.getByRole("button", { name: "Play" });
  expect([signed, sound.element?.currentTime]).toEqual([["/v1/podcasts/audio/0"], 140]);
});

test("an episode that was being saved on this device does not replace the one opened meanwhile", async () => {
  const [first, second] = [aPodcast(), aPodcast({ _id: "01JD000000000000000GENES", title: "Inside genes" })];
  const downloaded = createDeferred<Response>();
  vi.stubGlobal("fetch", () => downloaded.promise);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  let isFirst = true;
  await openApp(`/podcast/${first._id}`, {
    signedIn: true,
    answers: holding(first, {
      getPodcast: () => ({ podcast: isFirst ? first : second }),
      signAudio: () => ({ url: "/v1/podcasts/audio/1", sizeBytes: 1, durationMs: 300_000, expiresAt: 1 }),
    }),
  });
  await userEvent.setup().click(await screen.findByRole("button", { name: "Keep offline" }));
  isFirst = false;
  act(() => goTo(`/podcast/${second._id}`));
  await screen.findByRole("heading", { name: "Inside genes" });
  downloaded.resolve(new Response(new Blob(["sound"])));
  await expect.poll(listSavedIds).toEqual([first._id]);
  await act(async () => undefined);
  screen.getByRole("heading", { name: "Inside genes" });
});

test("an episode that was being loaded when another account replaced this one is loaded for that account", async () => {
  const late = createDeferred<undefined>();
  let getPodcast: () => { podcast: Podcast } | Promise<{ podcast: Podcast }> = async () => {
    await late.promise;
    return { podcast: aPodcast() };
  };
  const answers = holding(aPodcast(), { getPodcast: () => getPodcast() });
  await openApp(`/podcast/${aPodcast()._id}`, { signedIn: true, answers });
  await screen.findByRole("button", { name: /Ada/ });
  getPodcast = () => refuse("not_found", "No");
  act(() => setUser({ ...ada, _id: "01JD00000000000000000GRACE" }));
  late.resolve(undefined);
  await screen.findByText("Podcast not found");
  await act(startSession);
});
