import { Readable } from "node:stream";
import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { podcasts } from "#shared/podcasts/contract.ts";
import { isInProgress } from "#shared/podcasts/rules.ts";
import { voices } from "#shared/podcasts/voices.ts";
import { findFile } from "#api/blobs/file-records.ts";
import { createFileAnswer } from "#api/http/file-answer.ts";
import type { Handlers } from "#api/http/handler.ts";
import { removeFromLists } from "#api/library/remove-from-lists.ts";
import { publishChanges } from "#api/store/account-changes.ts";
import { audioHandlers } from "./audio-answer.ts";
import { engineOf } from "./audio/speak.ts";
import { createPodcast, retryPodcast } from "./create-podcast.ts";
import { refreshTitle } from "./making/sound-file.ts";
import { erasePodcast, stopPodcast } from "./making/end-episode.ts";
import { presentChapters, presentPodcast, presentTranscript, toWebVtt } from "./present.ts";
import { podcastNotFound, requirePodcast } from "./require-podcast.ts";
import { searchLines } from "./search-lines.ts";
import { findPodcast, findShownScript, patchPodcast, savePosition } from "./store.ts";
import { readVoiceSample } from "./voice-samples.ts";

export const handlers: Handlers<typeof podcasts> = {
  ...audioHandlers,

  async getPodcast(ctx, { id }) {
    return { podcast: presentPodcast(await requirePodcast(ctx, id)) };
  },

  async createPodcast(ctx, input) {
    return { podcast: presentPodcast(await createPodcast(ctx, input)) };
  },

  async deletePodcast(ctx, { id }) {
    const podcast = await requirePodcast(ctx, id);
    await erasePodcast(ctx, podcast);
    await removeFromLists(ctx.own, id, `podcast:${ulid(ctx.clock.now())}`);
    await publishChanges(ctx.own, [{ kind: "podcasts", ids: [id] }]);
    return { success: true };
  },

  async retryPodcast(ctx, { id }) {
    return { podcast: presentPodcast(await retryPodcast(ctx, await requirePodcast(ctx, id))) };
  },

  async updatePodcast(ctx, { id, title, is_archived: isArchived }) {
    const { own, clock } = ctx;
    const before = await requirePodcast(ctx, id);
    const now = clock.now();
    const archived =
      isArchived === undefined || isArchived === before.is_archived
        ? {}
        : { is_archived: isArchived, archived_at: isArchived ? now : null };
    const set = { ...(title === undefined ? {} : { title }), ...archived, updated_at: now };
    const podcast = await patchPodcast(own, id, set);
    if (!podcast) throw podcastNotFound();
    await refreshTitle(ctx, before);
    if (isArchived === true) await removeFromLists(own, id, `podcast:${ulid(now)}`);
    await publishChanges(own, [{ kind: "podcasts", ids: [id] }]);
    return { podcast: presentPodcast(podcast) };
  },

  async savePosition({ own, clock }, { id, position_ms, listened_at: listenedAt }) {
    if (!(await findPodcast(own, id))) throw podcastNotFound();
    const now = clock.now();
    const positionAt = Math.min(listenedAt ?? now, now);
    await savePosition(own, id, { position_ms, positionAt });
    return { success: true };
  },

  async cancelPodcast(ctx, { id }) {
    const podcast = await requirePodcast(ctx, id);
    if (!isInProgress(podcast)) return { podcast: presentPodcast(podcast) };
    const stopped = await stopPodcast(ctx, podcast, new Failure("cancelled", "podcast_stopped"));
    return { podcast: presentPodcast(stopped ?? (await requirePodcast(ctx, id))) };
  },

  async getTranscript(ctx, { id }) {
    return presentTranscript(await findShownScript(ctx.own, await requirePodcast(ctx, id)));
  },

  async getCaptions(ctx, { id }) {
    const podcast = await requirePodcast(ctx, id);
    const bytes = Buffer.from(toWebVtt(podcast, await findShownScript(ctx.own, podcast)));
    return {
      type: "text/vtt; charset=utf-8",
      sizeBytes: bytes.length,
      open: (range) =>
        Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false }),
      disposition: { kind: "attachment", name: `${podcast.title}.vtt` },
    };
  },

  async getChapters(ctx, { id }) {
    const podcast = await requirePodcast(ctx, id);
    return presentChapters(podcast, await findShownScript(ctx.own, podcast));
  },

  async getThumbnail(ctx, { id }) {
    const { coverFileId } = await requirePodcast(ctx, id);
    const file = coverFileId === null ? undefined : await findFile(ctx.own, coverFileId);
    if (!file) throw new Failure("not_found", "no_thumbnail");
    return createFileAnswer(ctx.blobs, file);
  },

  async searchTranscripts({ own }, { q, limit }) {
    return { found: await searchLines(own, q, limit) };
  },

  async listVoices({ settings }) {
    const engine = engineOf(settings);
    return { voices: voices.map(({ id, name, gender }) => ({ id, name, gender, engine })) };
  },

  getVoiceSample: ({ settings }, { voice }) => readVoiceSample(settings, voice),
};
