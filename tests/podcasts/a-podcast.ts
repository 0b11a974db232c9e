import { Podcast } from "#shared/podcasts/schema.ts";
import type { Answers } from "#tests/kit/browser/web.tsx";

/** An episode that is ready to be played. */
export const aPodcast = (more: Partial<Podcast> = {}): Podcast =>
  Podcast.parse({
    _id: "01JD000000000000000CELLS",
    title: "Inside cells",
    status: "completed",
    sources: [{ type: "pdf", id: "file", title: "Cells.pdf" }],
    guest: { name: "Maya", voice: "MAYA_FEMALE" },
    host: { name: "Noah", voice: "NOAH_MALE" },
    created_at: 1,
    updated_at: 1,
    completed_at: 1,
    generation_started_at: 1,
    last_processing_attempt: 1,
    is_archived: false,
    archived_at: null,
    thumbnail_file: null,
    length_minutes: 5,
    has_breaks: true,
    engine: "built_in",
    duration_ms: 300_000,
    progress: null,
    error: null,
    notices: [],
    ...more,
  });

/** A server that has this one episode. */
export const holding = (podcast: Podcast, more: Answers["podcasts"] = {}): Answers => ({
  pages: { getContent: () => ({ content: { pages: [], components: [], podcasts: [podcast] } }) },
  podcasts: {
    getPodcast: () => ({ podcast }),
    getTranscript: () => ({ lines: [], chapters: [] }),
    updatePodcast: (sent) => ({ podcast: { ...podcast, is_archived: sent["is_archived"] === true } }),
    ...more,
  },
});
