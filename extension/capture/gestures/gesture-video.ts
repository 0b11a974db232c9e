import { readVideoAddress } from "#shared/video/addresses.ts";
import { readLanguages } from "#extension/words/languages.ts";
import { words } from "#extension/words/words.ts";
import { runInPageWorld, runOnce, runWith } from "#extension/platform/reading-tabs.ts";
import { confirm, keep, knownAddress, refuse } from "../keeping.ts";
import { linesOf } from "../readers/said.ts";
import { type Capture, type CardWish, changeCapture, keepAnew, keepRaw } from "../store.ts";
import { Moment, PlayerFacts, ReadCaptions, type ReadVideo } from "../readers/video-shapes.ts";
import { tell } from "#extension/app/channel.ts";

/** A clip covers this much time before the current position. */
export const CLIP_MS = 30_000;

/** Canonical address of a video. */
function placeOf({ address }: Moment): { address: string; videoId: string | null } {
  const read = readVideoAddress(address);
  return read.kind === "youtube"
    ? { address: read.url, videoId: read.videoId }
    : { address: knownAddress(address), videoId: null };
}

const seenIn = async (tabId: number): Promise<Moment | undefined> =>
  Moment.safeParse(await runOnce(tabId, "read-moment").catch(() => undefined)).data;

/** Like `seenIn`, but reports a missing video or an unreadable tab. */
async function toCapture(tabId: number): Promise<Moment | undefined> {
  try {
    return Moment.safeParse(await runOnce(tabId, "read-moment")).data ?? (await refuse(tabId, words.no_video));
  } catch {
    return refuse(tabId, words.cannot_read);
  }
}

const unread: ReadCaptions = {
  language: "und",
  name: "",
  isGenerated: false,
  body: null,
  lines: null,
  reason: "unreachable",
  offered: [],
  chapters: [],
};

/** Reads a video's captions: from YouTube's player, or from the caption tracks on any other page. */
async function readSaid(
  tabId: number,
  videoId: string | null,
  languages: string[],
): Promise<{ said: ReadCaptions; player: PlayerFacts | undefined }> {
  const told = videoId === null ? undefined : await runInPageWorld(tabId, "read-player").catch(() => undefined);
  const player = PlayerFacts.safeParse(told).data;
  if (videoId !== null && player?.videoId !== videoId)
    return { said: { ...unread, reason: player ? "moved" : "unreachable" }, player: undefined };
  const read = await runWith(tabId, "read-video", { player: player ?? null, languages }).catch(() => undefined);
  return { said: ReadCaptions.safeParse(read).data ?? unread, player };
}

const untitled = (title: string) => title.replace(/^\(\d+\) /, "").replace(/ - YouTube$/, "");

/** The video at its current position, with its captions. */
async function readWhole(
  tabId: number,
  moment: Moment,
  languages: string[],
): Promise<{ video: ReadVideo; player: PlayerFacts | undefined }> {
  const { videoId } = placeOf(moment);
  const { said, player } = await readSaid(tabId, videoId, languages);
  const { source, durationMs } = moment;
  const known = { videoId, source, durationMs: durationMs === 0 ? null : durationMs };
  return { video: { ...said, ...known, description: player?.description ?? "" }, player };
}

/** Fields of a capture known from a video. */
const facts = ({ offered, language, reason }: ReadVideo) => ({ offered, ...(reason === null ? { language } : {}) });

/** Adds captions to a stored capture. */
async function addSaid(tabId: number, capture: Capture, moment: Moment, languages: string[]): Promise<void> {
  const { video, player } = await readWhole(tabId, moment, languages);
  const author = player?.author ?? capture.author;
  await changeCapture(capture.id, { title: player?.title || capture.title, author, ...facts(video) });
  await keepRaw(capture.id, { video });
  tell("work");
}

/**
 * Reads the captions again in another language and replaces the previous ones. On failure everything stays unchanged
 * and the panel shows the reason.
 */
export async function readInLanguage(tabId: number, capture: Capture, language: string): Promise<void> {
  const moment = await seenIn(tabId);
  if (!moment || placeOf(moment).address !== capture.address) return refuse(tabId, words.captions_elsewhere);
  const { video } = await readWhole(tabId, moment, [language]);
  const { reason } = linesOf(video);
  if (reason !== null) return refuse(tabId, words[`no_captions_${reason}`]);
  if (video.language !== language) return refuse(tabId, words.no_captions_wrong_language);
  // Requested cards were already made from the first captions; do not make them again.
  await keepAnew(capture.id, { video }, ({ wants, state, ...held }) => ({
    ...held,
    ...facts(video),
    ...(wants && state !== "saved" ? { wants } : {}),
    state: "ready",
    notice: null,
    problem: null,
  }));
  await confirm(tabId);
  tell("work");
}

/** Captures the tab's video with its captions. The capture is stored before the captions are read. */
export async function captureVideo(tabId: number, { wants }: { wants?: CardWish } = {}): Promise<Capture | undefined> {
  const moment = await toCapture(tabId);
  if (!moment) return undefined;
  const { address } = placeOf(moment);
  const locator = { startMs: Math.round(moment.atMs) };
  const about = { title: untitled(moment.title), author: moment.author, locator, ...(wants ? { wants } : {}) };
  const kept = await keep({ kind: "video", address, ...about }, {});
  await confirm(tabId);
  await addSaid(tabId, kept, moment, await readLanguages());
  return kept;
}

/** Captures a card about the last 30 seconds of a video. */
export async function captureClip(tabId: number): Promise<void> {
  const moment = await toCapture(tabId);
  if (!moment) return undefined;
  const { address } = placeOf(moment);
  const endMs = Math.round(moment.atMs);
  const locator = { startMs: Math.max(0, endMs - CLIP_MS), endMs };
  const about = { title: untitled(moment.title), author: moment.author, locator };
  const kept = await keep({ kind: "card", address, ...about }, {});
  await confirm(tabId);
  return addSaid(tabId, kept, moment, await readLanguages());
}
