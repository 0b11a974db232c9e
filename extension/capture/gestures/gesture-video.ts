import { parseVideoAddress } from "#shared/video/addresses.ts";
import { readCaptionLanguages } from "#extension/words/caption-languages.ts";
import { words } from "#extension/words/words.ts";
import { runInPageWorld, runInTopFrame, runWithInput } from "#extension/platform/tab-scripts.ts";
import { confirmCapture, saveNewCapture, toKnownAddress, showRefusal } from "../save-capture.ts";
import { captionLines } from "../readers/caption-lines.ts";
import { type Capture, type CardRequest, changeCapture, replaceCapture, updateRaw } from "../store.ts";
import { Moment, PlayerFacts, ReadCaptions, type ReadVideo } from "../readers/video-shapes.ts";
import { notify } from "#extension/app/channel.ts";

/** A clip covers this much time before the current position. */
export const CLIP_MS = 30_000;

/** Canonical address of a video. */
function videoAddressOf({ address }: Moment): { address: string; videoId: string | null } {
  const read = parseVideoAddress(address);
  return read.kind === "youtube"
    ? { address: read.url, videoId: read.videoId }
    : { address: toKnownAddress(address), videoId: null };
}

const readMomentIn = async (tabId: number): Promise<Moment | undefined> =>
  Moment.safeParse(await runInTopFrame(tabId, "read-moment").catch(() => undefined)).data;

/** Like `readMomentIn`, but shows the student that the video is missing or the tab cannot be read. */
async function requireMoment(tabId: number): Promise<Moment | undefined> {
  try {
    return (
      Moment.safeParse(await runInTopFrame(tabId, "read-moment")).data ?? (await showRefusal(tabId, words.no_video))
    );
  } catch {
    return showRefusal(tabId, words.cannot_read);
  }
}

const UNREAD_CAPTIONS: ReadCaptions = {
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
async function readCaptionsIn(
  tabId: number,
  videoId: string | null,
  languages: string[],
): Promise<{ captions: ReadCaptions; player: PlayerFacts | undefined }> {
  const playerResult = videoId === null ? undefined : await runInPageWorld(tabId, "read-player").catch(() => undefined);
  const player = PlayerFacts.safeParse(playerResult).data;
  if (videoId !== null && player?.videoId !== videoId)
    return { captions: { ...UNREAD_CAPTIONS, reason: player ? "moved" : "unreachable" }, player: undefined };
  const read = await runWithInput(tabId, "read-video", { player: player ?? null, languages }).catch(() => undefined);
  return { captions: ReadCaptions.safeParse(read).data ?? UNREAD_CAPTIONS, player };
}

const cleanTitle = (title: string) => title.replace(/^\(\d+\) /, "").replace(/ - YouTube$/, "");

/** The video at its current position, with its captions. */
async function readVideoWithCaptions(
  tabId: number,
  moment: Moment,
  languages: string[],
): Promise<{ video: ReadVideo; player: PlayerFacts | undefined }> {
  const { videoId } = videoAddressOf(moment);
  const { captions, player } = await readCaptionsIn(tabId, videoId, languages);
  const { source, durationMs } = moment;
  const known = { videoId, source, durationMs: durationMs === 0 ? null : durationMs };
  return { video: { ...captions, ...known, description: player?.description ?? "" }, player };
}

/** The fields of a capture that come from its video. */
const captureFields = ({ offered, language, reason }: ReadVideo) => ({
  offered,
  ...(reason === null ? { language } : {}),
});

/** Adds captions to a stored capture. */
async function addCaptions(tabId: number, capture: Capture, moment: Moment, languages: string[]): Promise<void> {
  const { video, player } = await readVideoWithCaptions(tabId, moment, languages);
  const author = player?.author ?? capture.author;
  await changeCapture(capture.id, { title: player?.title || capture.title, author, ...captureFields(video) });
  await updateRaw(capture.id, { video });
  notify("work");
}

/**
 * Reads the captions again in another language and replaces the previous ones. On failure everything stays unchanged
 * and the panel shows the reason.
 */
export async function readInLanguage(tabId: number, capture: Capture, language: string): Promise<void> {
  const moment = await readMomentIn(tabId);
  if (!moment || videoAddressOf(moment).address !== capture.address)
    return showRefusal(tabId, words.captions_elsewhere);
  const { video } = await readVideoWithCaptions(tabId, moment, [language]);
  const { reason } = captionLines(video);
  if (reason !== null) return showRefusal(tabId, words[`no_captions_${reason}`]);
  if (video.language !== language) return showRefusal(tabId, words.no_captions_wrong_language);
  // Requested cards were already made from the first captions; do not make them again.
  await replaceCapture(capture.id, { video }, ({ wants, state, ...rest }) => ({
    ...rest,
    ...captureFields(video),
    ...(wants && state !== "saved" ? { wants } : {}),
    state: "ready",
    notice: null,
    problem: null,
  }));
  await confirmCapture(tabId);
  notify("work");
}

/** Captures the tab's video with its captions. The capture is stored before the captions are read. */
export async function captureVideo(
  tabId: number,
  { wants }: { wants?: CardRequest } = {},
): Promise<Capture | undefined> {
  const moment = await requireMoment(tabId);
  if (!moment) return undefined;
  const { address } = videoAddressOf(moment);
  const locator = { startMs: Math.round(moment.atMs) };
  const metadata = { title: cleanTitle(moment.title), author: moment.author, locator, ...(wants ? { wants } : {}) };
  const capture = await saveNewCapture({ kind: "video", address, ...metadata }, {});
  await confirmCapture(tabId);
  await addCaptions(tabId, capture, moment, await readCaptionLanguages());
  return capture;
}

/** Captures a card about the last 30 seconds of a video. */
export async function captureClip(tabId: number): Promise<void> {
  const moment = await requireMoment(tabId);
  if (!moment) return undefined;
  const { address } = videoAddressOf(moment);
  const endMs = Math.round(moment.atMs);
  const locator = { startMs: Math.max(0, endMs - CLIP_MS), endMs };
  const metadata = { title: cleanTitle(moment.title), author: moment.author, locator };
  const capture = await saveNewCapture({ kind: "card", address, ...metadata }, {});
  await confirmCapture(tabId);
  return addCaptions(tabId, capture, moment, await readCaptionLanguages());
}
