import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import { removeFile, replaceFile } from "#api/blobs/file-records.ts";
import { users } from "#api/http/authenticate.ts";
import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { createId3Tag } from "../audio/id3.ts";
import { audioFileIdOf, coverFileIdOf } from "./end-episode.ts";
import { findPodcast, type PartDoc, listParts, type PodcastDoc, type ScriptDoc } from "../store.ts";

export type FileDeps = Pick<Deps, "blobs" | "settings" | "clock" | "store"> & { own: Own };

const MAX_FILE_BYTES = 256 * 1024 * 1024;

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

/** Draws the cover again while the episode has another title than the drawn one: it may be renamed at any time. */
export async function refreshCover(deps: FileDeps, { _id, title }: Pick<PodcastDoc, "_id" | "title">): Promise<void> {
  let drawnTitle = title;
  for (;;) {
    const podcast = await findPodcast(deps.own, _id);
    if (podcast?.title === drawnTitle) return;
    // The episode was deleted while its cover was drawn.
    if (!podcast) return removeFile(deps.own, coverFileIdOf(_id));
    await storeCover(deps, podcast);
    drawnTitle = podcast.title;
  }
}

export async function* readParts(
  { blobs }: Pick<Deps, "blobs">,
  parts: readonly PartDoc[],
): AsyncGenerator<Uint8Array> {
  for (const { blobKey } of parts) yield* (await blobs.open(blobKey)) as AsyncIterable<Uint8Array>;
}

/** Joins the encoded parts into one file with title, chapters and cover. */
export async function storeEpisode(
  deps: FileDeps,
  podcast: PodcastDoc,
  { lines, chapters }: Pick<ScriptDoc, "lines" | "chapters">,
): Promise<string> {
  const parts = await listParts(deps.own, podcast._id);
  const tag = createId3Tag({
    title: podcast.title,
    artist: `${podcast.host.name}, ${podcast.guest.name}`,
    durationMs: podcast.duration_ms,
    chapters: chapters.flatMap(({ title }, index) => {
      const startMs = lines.find((line) => line.chapter === index)?.startMs;
      return startMs === undefined ? [] : [{ title, startMs }];
    }),
    cover: await coverOf(podcast),
  });
  async function* bytes() {
    yield tag;
    yield* readParts(deps, parts);
  }
  const _id = audioFileIdOf(podcast._id);
  await storeFile(deps, { _id, name: `${podcast.title}.mp3`, mime: "audio/mpeg", bytes: bytes() });
  return _id;
}
