// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { v1 } from "#shared/contract/v1.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser, signOut } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import {
  isBrokenAtom,
  isEpisodePlayingAtom,
  isWaitingAtom,
  load,
  onEpisodeEnd,
  pause,
  play,
  playEpisode,
  seekEpisode,
  toggleEpisode,
  unload,
} from "#webapp/podcasts/player.ts";
import { findUnsentPosition, savePosition } from "#webapp/podcasts/positions.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { aPodcast } from "./a-podcast.ts";
import { aFakeSound } from "./fake-sound.ts";

const podcast = aPodcast();
const episode = { podcast, transcript: { lines: [], chapters: [] } };

const sound = aFakeSound();
vi.stubGlobal("Audio", sound.create);

type MaybePromise<T> = T | Promise<T>;
/** How much of an episode each of its addresses has; later ones as much as the last. */
type Durations = readonly [number, ...number[]];

/**
 * Sets a server that signs addresses of sounds, and may know where the listener stopped; returns a function that counts
 * the requests for addresses.
 */
function serveAddresses(
  durations: Durations = [podcast.duration_ms],
  stoppedMs?: () => MaybePromise<number>,
): () => number {
  let fetched = 0;
  setTransport(async ({ endpoint }) => {
    if (endpoint === v1.podcasts.savePosition) return replyWith('{"success":true}');
    if (endpoint === v1.podcasts.getPodcast && stoppedMs)
      return replyWith(JSON.stringify({ podcast: { ...podcast, position_ms: await stoppedMs() } }));
    if (endpoint !== v1.podcasts.signAudio) throw new NoResponseError("network");
    const durationMs = durations[fetched] ?? durations.at(-1);
    fetched += 1;
    const text = JSON.stringify({ url: `/v1/podcasts/audio/${fetched}`, sizeBytes: 1, durationMs, expiresAt: 1 });
    return replyWith(text);
  });
  return () => fetched;
}

/** Plays the episode from a second; resolves to a function that counts the requests for its address. */
async function startAt(seconds: number, duration_ms = podcast.duration_ms) {
  const fetched = serveAddresses([duration_ms, podcast.duration_ms]);
  onTestFinished(unload);
  sound.fault = null;
  await playEpisode({ ...episode, podcast: { ...podcast, duration_ms } }, seconds * 1000);
  return fetched;
}

const fail = () => {
  sound.fault = { code: 2 } as MediaError;
  sound.element?.dispatchEvent(new Event("error"));
};
const isBroken = () => store.get(isBrokenAtom);

test("a sound that fails is fetched again once, and not in a loop if it always fails at the same second", async () => {
  const fetched = await startAt(20);
  fail();
  await expect.poll(fetched).toBe(2);
  sound.hearAt(20);
  fail();
  await expect.poll(isBroken).toBe(true);
  expect(fetched()).toBe(2);
});

test.each([0, 20])(
  "a sound that played on after a failure at second %i is fetched again at the next failure",
  async (at) => {
    const fetched = await startAt(at);
    fail();
    await expect.poll(fetched).toBe(2);
    sound.hearAt(at + 1);
    fail();
    await expect.poll(fetched).toBe(3);
    expect(isBroken()).toBe(false);
  },
);

test("Play after a failure starts anew, so the next failure is repaired without a message", async () => {
  const fetched = await startAt(0);
  pause();
  fail();
  await expect.poll(fetched).toBe(2);
  sound.hearAt(0);
  play();
  fail();
  await expect.poll(fetched).toBe(3);
  expect(isBroken()).toBe(false);
});

test("a failure of one episode does not count for the next", async () => {
  const fetched = await startAt(20);
  fail();
  await expect.poll(fetched).toBe(2);
  sound.fault = null;
  await playEpisode({ ...episode, podcast: { ...podcast, _id: "01JD0000000000000000NEXT1" } }, 0);
  fail();
  await expect.poll(fetched).toBeGreaterThanOrEqual(4);
  expect(isBroken()).toBe(false);
});

test("when the sound of another episode cannot be opened, the one before it stops, and Play opens the new one", async () => {
  await startAt(20);
  const next = { ...episode, podcast: { ...podcast, _id: "01JD0000000000000000NEXT1" } };
  setTransport(() => Promise.reject(new NoResponseError("network")));
  expect(await playEpisode(next, 0)).toBe(false);
  expect(isBroken()).toBe(true);
  expect(store.get(isEpisodePlayingAtom)).toBe(false);
  expect(sound.element?.getAttribute("src")).toBeNull();
  serveAddresses();
  play();
  await expect.poll(() => store.get(isEpisodePlayingAtom)).toBe(true);
  expect(sound.element?.getAttribute("src")).toBe("/v1/podcasts/audio/1");
});

/** Reports that the sound has played to its end. */
function hearToEnd(seconds: number): void {
  sound.hearAt(seconds);
  sound.element?.dispatchEvent(new Event("pause"));
  sound.element?.dispatchEvent(new Event("ended"));
}

/** Plays an episode of which only the opening is recorded, up to its end. */
async function hearOpening() {
  const making = aPodcast({ status: "generating_transcript", duration_ms: 12_000 });
  const fetched = serveAddresses([12_000, 30_000]);
  onTestFinished(unload);
  sound.fault = null;
  await playEpisode({ ...episode, podcast: making }, 0);
  hearToEnd(12);
  return { fetched, making };
}
const isWaiting = () => store.get(isWaitingAtom);

test("a listener who reaches the end of the recorded part waits, and then the rest plays by itself", async () => {
  const { fetched, making } = await hearOpening();
  expect([isWaiting(), store.get(isEpisodePlayingAtom)]).toEqual([true, true]);
  load({ ...episode, podcast: { ...making, status: "generating_audio", duration_ms: 30_000 } });
  await expect.poll(isWaiting).toBe(false);
  await expect.poll(fetched).toBe(2);
  await expect.poll(() => sound.element?.currentTime).toBe(12);
});

test("nothing plays by itself for a listener who paused while waiting", async () => {
  const { fetched, making } = await hearOpening();
  toggleEpisode();
  expect([isWaiting(), store.get(isEpisodePlayingAtom)]).toEqual([false, false]);
  load({ ...episode, podcast: { ...making, status: "generating_audio", duration_ms: 30_000 } });
  expect([fetched(), store.get(isEpisodePlayingAtom)]).toEqual([1, false]);
});

test("if the listener pauses while the rest is opened, nothing plays by itself, and the rest is opened once", async () => {
  const { fetched, making } = await hearOpening();
  const longer = { ...episode, podcast: { ...making, status: "generating_audio" as const, duration_ms: 30_000 } };
  load(longer);
  load(longer);
  pause();
  await expect.poll(() => sound.element?.currentTime).toBe(12);
  expect([fetched(), store.get(isEpisodePlayingAtom)]).toEqual([2, false]);
});

test("an episode that completes while its listener waits at its end counts as heard to the end", async () => {
  const ended = vi.fn<() => void>();
  onEpisodeEnd(ended);
  onTestFinished(() => onEpisodeEnd(() => {}));
  const { making } = await hearOpening();
  load({ ...episode, podcast: { ...making, status: "completed" } });
  expect([isWaiting(), ended.mock.calls.length]).toEqual([false, 1]);
});

test("the player does not wait for an episode that has failed", async () => {
  const { making } = await hearOpening();
  load({ ...episode, podcast: { ...making, status: "failed" } });
  expect(isWaiting()).toBe(false);
});

test("a line beyond the sound of a growing episode is played from the longer sound", async () => {
  const fetched = await startAt(0, 60_000);
  pause();
  const played: [string, number][] = [];
  const player = sound.element;
  if (!player) throw new Error("no sound was made");
  const playing = vi.spyOn(player, "play").mockImplementation(() => {
    played.push([new URL(player.src).pathname, player.currentTime]);
    return Promise.resolve();
  });
  onTestFinished(() => playing.mockRestore());
  await playEpisode(episode, 200_000);
  expect(fetched()).toBe(2);
  expect(played).toEqual([["/v1/podcasts/audio/2", 200]]);
});

test("signing out stops the episode that is playing", async () => {
  setUser(ada);
  await startAt(20);
  expect(sound.element?.getAttribute("src")).toBe("/v1/podcasts/audio/1");
  await signOut();
  expect(sound.element?.getAttribute("src")).toBeNull();
});

test("a growing episode continues at the listener's position, even if the screen knew a shorter version", async () => {
  const making = aPodcast({ status: "generating_audio", duration_ms: 12_000 });
  const fetched = serveAddresses([40_000, 60_000]);
  onTestFinished(unload);
  await playEpisode({ ...episode, podcast: making }, 0);
  hearToEnd(40);
  expect([fetched(), isWaiting()]).toEqual([1, true]);
  load({ ...episode, podcast: { ...making, duration_ms: 30_000 } });
  expect([fetched(), isWaiting()]).toEqual([1, true]);
  load({ ...episode, podcast: { ...making, duration_ms: 60_000 } });
  await expect.poll(fetched).toBe(2);
  await expect.poll(isWaiting).toBe(false);
  expect(sound.element?.currentTime).toBe(40);
});

test("a paused episode resumes at the later position of another device", async () => {
  setUser(ada);
  let stoppedMs = 20_000;
  serveAddresses(undefined, () => stoppedMs);
  onTestFinished(unload);
  sound.fault = null;
  await playEpisode({ ...episode, podcast: { ...podcast, position_ms: 5000 } });
  expect(sound.element?.currentTime).toBe(20);
  sound.hearAt(30);
  pause();
  await expect.poll(() => findUnsentPosition(podcast._id)).toBeUndefined();
  stoppedMs = 80_000;
  play();
  await expect.poll(() => sound.element?.currentTime).toBe(80);
  // The student has moved since, so the other device no longer counts.
  pause();
  stoppedMs = 90_000;
  seekEpisode(50_000);
  play();
  await expect.poll(() => store.get(isEpisodePlayingAtom)).toBe(true);
  expect(sound.element?.currentTime).toBe(50);
});

test("a position that did not reach the server is sent again by itself", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  setUser(ada);
  let sent = 0;
  const listenedAt = new Set<unknown>();
  setTransport(({ endpoint, body }) => {
    if (endpoint !== v1.podcasts.savePosition) return Promise.reject(new NoResponseError("network"));
    sent += 1;
    if (body.kind === "json") listenedAt.add((JSON.parse(body.text) as { listened_at: number }).listened_at);
    if (sent < 3) return Promise.reject(new NoResponseError("network"));
    return Promise.resolve(replyWith('{"success":true}'));
  });
  savePosition("episode", 61_342);
  await vi.advanceTimersByTimeAsync(0);
  expect([sent, findUnsentPosition("episode")]).toEqual([1, 61_342]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([sent, findUnsentPosition("episode")]).toEqual([3, undefined]);
  // The repeat has the time of listening, not of sending, because another device may have been listened to since.
  expect(listenedAt.size).toBe(1);
});

test("a line of another episode that is clicked during the look-up of the first one's position plays", async () => {
  setUser(ada);
  const answer = createDeferred<number>();
  serveAddresses(undefined, () => answer.promise);
  onTestFinished(unload);
  sound.fault = null;
  const first = playEpisode(episode);
  const other = { ...episode, podcast: { ...podcast, _id: "01JD0000000000000000NEXT1" } };
  const second = playEpisode(other, 60_000);
  answer.resolve(20_000);
  expect(await Promise.all([first, second])).toEqual([false, true]);
  await expect.poll(() => store.get(isEpisodePlayingAtom)).toBe(true);
  expect(sound.element?.currentTime).toBe(60);
});
