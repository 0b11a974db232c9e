import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Failure } from "#shared/contract/failure.ts";
import { findFile, replaceFile } from "#api/blobs/file-records.ts";
import { users } from "#api/http/authenticate.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { createId3Tag, readId3Length } from "../audio/id3.ts";
import { audioFileIdOf, coverFileIdOf, removeLeftovers } from "./end-episode.ts";
import { findPodcast, findScript, listParts, type PartDoc, type PodcastDoc, type ScriptDoc } from "../store.ts";

export type FileDeps = Pick<Deps, "blobs" | "settings" | "clock" | "store"> & { own: Own };

const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Position of the last byte of an ID3 header. */
const ID3_HEADER_END = 9;

interface NewFile {
  _id: string;
  name: string;
  mime: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** Stores a file against the account's quota. */
async function storeFile(deps: FileDeps, { bytes, ...file }: NewFile): Promise<void> {
  const { own, blobs, store, clock } = deps;
  const account = await store.collection(users).get(own.ownerId);
  if (!account) throw new Failure("not_found", "no_podcast");
  const received = await blobs.receive(bytes, MAX_FILE_BYTES);
  await received.commit();
  await received.discard();
  const { key: blobKey, sizeBytes } = received;
  // An earlier attempt may have left a file under this id.
  await replaceFile({ ...deps, caller: account }, { ...file, blobKey, sizeBytes, createdAt: clock.now() });
}

async function coverOf({ _id, title, guest, length_minutes: minutes }: PodcastDoc): Promise<Buffer> {
  // Loaded on first use, because the canvas library would lengthen the server's start.
  const { drawCover } = await import("../audio/cover.ts");
  return drawCover({ id: _id, title, subtitle: `${minutes} min · ${guest.name}` });
}

export async function storeCover(deps: FileDeps, podcast: PodcastDoc): Promise<string> {
  const _id = coverFileIdOf(podcast._id);
  await storeFile(deps, {
    _id,
    name: `${podcast.title}.png`,
    mime: "image/png",
    bytes: Readable.from([await coverOf(podcast)]),
  });
  return _id;
}

export async function* readParts(
  { blobs }: Pick<Deps, "blobs">,
  parts: readonly PartDoc[],
): AsyncGenerator<Uint8Array> {
  for (const { blobKey } of parts) yield* (await blobs.open(blobKey)) as AsyncIterable<Uint8Array>;
}

async function createTag(
  podcast: PodcastDoc,
  { lines, chapters }: Pick<ScriptDoc, "lines" | "chapters">,
  replacedBytes?: number,
): Promise<Buffer> {
  const tagged = {
    title: podcast.title,
    artist: `${podcast.host.name}, ${podcast.guest.name}`,
    durationMs: podcast.duration_ms,
    chapters: chapters.flatMap(({ title }, index) => {
      const startMs = lines.find((line) => line.chapter === index)?.startMs;
      return startMs === undefined ? [] : [{ title, startMs }];
    }),
    cover: await coverOf(podcast),
  };
  return createId3Tag(tagged, replacedBytes);
}

/** Joins the encoded parts into one file with title, chapters and cover. */
export async function storeEpisode(
  deps: FileDeps,
  podcast: PodcastDoc,
  script: Pick<ScriptDoc, "lines" | "chapters">,
): Promise<string> {
  const parts = await listParts(deps.own, podcast);
  const tag = await createTag(podcast, script);
  async function* bytes() {
    yield tag;
    yield* readParts(deps, parts);
  }
  const _id = audioFileIdOf(podcast);
  await storeFile(deps, { _id, name: `${podcast.title}.mp3`, mime: "audio/mpeg", bytes: bytes() });
  return _id;
}

/** Replaces the tag of a stored episode by one with its title; the audio stays the same. */
async function replaceTag(deps: FileDeps, podcast: PodcastDoc, audioFileId: string): Promise<void> {
  const { own, blobs } = deps;
  const [file, script] = await Promise.all([findFile(own, audioFileId), findScript(own, podcast._id)]);
  if (!file || !script) return;
  const { blobKey, sizeBytes, mime } = file;
  const start = readId3Length(await buffer(await blobs.open(blobKey, { start: 0, end: ID3_HEADER_END })));
  const tag = await createTag(podcast, script, start);
  async function* bytes() {
    yield tag;
    yield* (await blobs.open(blobKey, { start, end: sizeBytes - 1 })) as AsyncIterable<Uint8Array>;
  }
  await storeFile(deps, { _id: audioFileId, name: `${podcast.title}.mp3`, mime, bytes: bytes() });
}

/**
 * Writes the title into the cover and the MP3 again while the episode has another one than was written: it may be
 * renamed at any time. A failure is only logged, because the name counts although its files cannot be written, for
 * example on a full disk.
 */
export const refreshTitle = (
  deps: FileDeps & Pick<Deps, "log">,
  written: Pick<PodcastDoc, "_id" | "title">,
): Promise<void> =>
  writeTitle(deps, written).catch((error: unknown) =>
    deps.log.error({ err: error }, "the title of a podcast was not written into its files"),
  );

async function writeTitle(deps: FileDeps, { _id, title }: Pick<PodcastDoc, "_id" | "title">): Promise<void> {
  let writtenTitle = title;
  let written: PodcastDoc | undefined;
  for (;;) {
    const podcast = await findPodcast(deps.own, _id);
    // The episode was deleted while its files were written.
    if (!podcast) return written && removeLeftovers(deps.own, written);
    if (podcast.title === writtenTitle) return;
    if (podcast.coverFileId !== null) await storeCover(deps, podcast);
    if (podcast.audioFileId !== null) await replaceTag(deps, podcast, podcast.audioFileId);
    written = podcast;
    writtenTitle = podcast.title;
  }
}
