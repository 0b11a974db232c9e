import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import type { podcasts } from "#shared/podcasts/contract.ts";
import { findFile } from "#api/blobs/file-records.ts";
import { createFileAnswer } from "#api/http/file-answer.ts";
import { readTicket, signTicket } from "#api/http/file-tickets.ts";
import type { Deps, FileAnswer, Handlers } from "#api/http/handler.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { requirePodcast } from "./require-podcast.ts";
import { findPodcast, listParts, type PartDoc, type PodcastDoc } from "./store.ts";

/** Longer than it takes to hear any episode with pauses. A player whose URL has expired requests a new one. */
const TICKET_MS = 4 * 3_600_000;
const TICKET_PREFIX = "podcast:";

const noAudio = () => new Failure("not_found", "no_podcast_audio");

/** Reads a range of bytes from the parts that contain it. */
async function* readRange(
  { blobs }: Pick<Deps, "blobs">,
  parts: readonly PartDoc[],
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const { blobKey, sizeBytes } of parts) {
    const from = Math.max(0, start - offset);
    const to = Math.min(sizeBytes - 1, end - offset);
    if (from <= to) yield* (await blobs.open(blobKey, { start: from, end: to })) as AsyncIterable<Uint8Array>;
    offset += sizeBytes;
    if (offset > end) return;
  }
}

/** The audio of an episode: its file, or the parts that are encoded so far. Undefined for a failed episode. */
export async function findSound(
  deps: Pick<Deps, "blobs"> & { own: Own },
  podcast: PodcastDoc,
): Promise<FileAnswer | undefined> {
  const { own, blobs } = deps;
  if (podcast.status === "failed") return undefined;
  const file = podcast.audioFileId === null ? undefined : await findFile(own, podcast.audioFileId);
  if (file) return createFileAnswer(blobs, file);
  const parts = await listParts(own, podcast);
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  if (sizeBytes === 0) return undefined;
  return {
    type: "audio/mpeg",
    sizeBytes,
    open: (range = { start: 0, end: sizeBytes - 1 }) =>
      Readable.from(readRange(deps, parts, range), { objectMode: false }),
    disposition: { kind: "inline", name: `${podcast.title}.mp3` },
    etag: `${podcast._id}-${podcast.attempt}-${sizeBytes}`,
    // The episode is not complete, so more bytes may follow.
    cacheControl: "no-store",
  };
}

export const audioHandlers: Pick<Handlers<typeof podcasts>, "signAudio" | "getAudio"> = {
  async signAudio(ctx, { id }) {
    const { caller, own, store, clock } = ctx;
    const podcast = await requirePodcast(ctx, id);
    const sound = await findSound(ctx, podcast);
    if (!sound) throw noAudio();
    const expiresAt = clock.now() + TICKET_MS;
    const { sessionId } = caller;
    const ticket = await signTicket(store, {
      ownerId: own.ownerId,
      fileId: TICKET_PREFIX + podcast._id,
      sessionId,
      expiresAt,
    });
    // With the current length, the URL changes when the episode has grown, so that a player requests the new bytes.
    const url = `/v1/podcasts/audio/${ticket}?bytes=${sound.sizeBytes}`;
    return { url, sizeBytes: sound.sizeBytes, durationMs: podcast.duration_ms, expiresAt };
  },

  async getAudio({ store, blobs, clock }, { ticket }) {
    const data = await readTicket(store, ticket, clock.now());
    if (!data?.fileId.startsWith(TICKET_PREFIX)) throw noAudio();
    const own = ownedBy(store, data.ownerId);
    const podcast = await findPodcast(own, data.fileId.slice(TICKET_PREFIX.length));
    const sound = podcast && (await findSound({ blobs, own }, podcast));
    if (!sound) throw noAudio();
    return sound;
  },
};
