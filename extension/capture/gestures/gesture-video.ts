import { readVideoAddress } from "#shared/video/addresses.ts";
import { readLanguages } from "#extension/words/languages.ts";
import { words } from "#extension/words/words.ts";
import { runInPageWorld, runOnce, runWith } from "#extension/platform/reading-tabs.ts";
import { confirm, keep, knownAddress, refuse } from "../keeping.ts";
import { linesOf } from "../readers/said.ts";
import { type Capture, type CardWish, changeCapture, keepAnew, keepRaw } from "../store.ts";
import { Moment, PlayerFacts, ReadCaptions, type ReadVideo } from "../readers/video-shapes.ts";
import { tell } from "#extension/app/channel.ts";

/** So far a clip reaches back. */
export const CLIP_MS = 30_000;

/** One address for a video, by whichever of its addresses it was come to. */
function placeOf({ address }: Moment): { address: string; videoId: string | null } {
  const read = readVideoAddress(address);
  return read.kind === "youtube"
    ? { address: read.url, videoId: read.videoId }
    : { address: knownAddress(address), videoId: null };
}

const seenIn = async (tabId: number): Promise<Moment | undefined> =>
  Moment.safeParse(await runOnce(tabId, "read-moment").catch(() => undefined)).data;

/** The same for a gesture: where there is none, or where the tab may not be read, that is said. */
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

/** What is said in the video of a tab: YouTube's player is asked first, on any other page its caption tracks. */
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

/** The video of a moment with what is said in it. */
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

/** What is known of a video once it was read. */
const facts = ({ offered, language, reason }: ReadVideo) => ({ offered, ...(reason === null ? { language } : {}) });

/** Puts what was read beside a capture that lies on disk already. */
async function addSaid(tabId: number, capture: Capture, moment: Moment, languages: string[]): Promise<void> {
  const { video, player } = await readWhole(tabId, moment, languages);
  const author = player?.author ?? capture.author;
  await changeCapture(capture.id, { title: player?.title || capture.title, author, ...facts(video) });
  await keepRaw(capture.id, { video });
  tell("work");
}

/**
 * Reads what is said in a kept video again, in another of its languages, and sends it in the place of what was read
 * before. Where that does not come about everything stays as it is, and the panel says why.
 */
export async function readInLanguage(tabId: number, capture: Capture, language: string): Promise<void> {
  const moment = await seenIn(tabId);
  if (!moment || placeOf(moment).address !== capture.address) return refuse(tabId, words.captions_elsewhere);
  const { video } = await readWhole(tabId, moment, [language]);
  const { reason } = linesOf(video);
  if (reason !== null) return refuse(tabId, words[`no_captions_${reason}`]);
  if (video.language !== language) return refuse(tabId, words.no_captions_wrong_language);
  // Cards that were wished for are made of what was read first, and not once more.
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

/** The video of a tab with what is said in it. It is on disk before the captions are asked for. */
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

/** A card of what was said in the last half minute, with the stretch of the video that it is about. */
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
