import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";
import {
  ChaptersFile,
  FoundLine,
  Podcast,
  PodcastLength,
  PodcastSource,
  PodcastTranscript,
  PodcastVoice,
} from "./schema.ts";

const Id = z.object({ id: z.string().min(1).max(64) });
const OnePodcast = z.object({ podcast: Podcast });
/** More than one episode may have, so that the rule about their number answers. */
const SENT_SOURCES = 50;

export const podcasts = {
  getPodcast: json({
    method: "GET",
    path: "/v1/podcasts/:id",
    access: "user",
    summary: "An episode, with how far it is while it is being made",
    input: Id,
    output: OnePodcast,
    fails: ["not_found"],
  }),
  createPodcast: json({
    method: "POST",
    path: "/v1/podcasts/create",
    access: "user",
    rate: "generation",
    summary: "Make an episode from one to three sources; `id` twice makes one episode",
    input: z.object({
      id: z.string().min(10).max(64).optional(),
      title: z.string().max(300).default(""),
      sources: z
        .array(PodcastSource.omit({ title: true }))
        .max(SENT_SOURCES)
        .default([]),
      guest: z.object({ name: z.string().max(60).default(""), voice: z.string().max(60).default("") }).optional(),
      length_minutes: PodcastLength.default(10),
      has_breaks: z.boolean().default(true),
      /** Whether the built-in voice may speak a line that the speech server does not. */
      may_fall_back: z.boolean().default(false),
    }),
    output: OnePodcast,
    fails: [
      "bad_input",
      "invalid_file",
      "invalid_pdf",
      "limit_reached",
      "not_found",
      "no_transcript",
      "already_exists",
      "timed_out",
      "too_large",
      "storage_full",
    ],
  }),
  deletePodcast: json({
    method: "DELETE",
    path: "/v1/podcasts/:id",
    access: "user",
    summary: "Delete an episode with its sound for good; what is being made is stopped",
    input: Id,
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  retryPodcast: json({
    method: "POST",
    path: "/v1/podcasts/:id/retry",
    access: "user",
    rate: "generation",
    summary: "Make a failed episode again; lines that were spoken already are not spoken twice",
    input: Id,
    output: OnePodcast,
    fails: ["limit_reached", "not_found", "storage_full"],
  }),
  updatePodcast: json({
    method: "PATCH",
    path: "/v1/podcasts/:id",
    access: "user",
    summary: "Name an episode, archive or restore it",
    input: Id.extend({
      title: z.string().trim().min(1).max(300).optional(),
      is_archived: z.boolean().optional(),
      /** Set by the server; accepted because clients send it. */
      archived_at: z.union([z.number(), z.string()]).nullable().optional(),
    }),
    output: OnePodcast,
    fails: ["not_found"],
  }),
  cancelPodcast: json({
    method: "POST",
    path: "/v1/podcasts/:id/cancel",
    access: "user",
    summary: "Stop making an episode; it can be retried",
    input: Id,
    output: OnePodcast,
    fails: ["not_found"],
  }),
  savePosition: json({
    method: "PUT",
    path: "/v1/podcasts/:id/position",
    access: "user",
    summary: "Where the listener is, so that another device goes on there",
    input: Id.extend({
      position_ms: z
        .int()
        .min(0)
        .max(24 * 3_600_000),
      /** When the listener was there: what was heard later on another device counts. */
      listened_at: z.number().optional(),
    }),
    output: z.object({ success: z.literal(true) }),
    fails: ["bad_input", "not_found"],
  }),
  signAudio: json({
    method: "POST",
    path: "/v1/podcasts/:id/audio",
    access: "user",
    noStore: true,
    summary: "An address at which a player, which can send no token, gets the sound of one episode for a while",
    input: Id,
    output: z.object({ url: z.string(), sizeBytes: z.int(), durationMs: z.int(), expiresAt: z.number() }),
    fails: ["not_found"],
  }),
  getAudio: file({
    method: "GET",
    path: "/v1/podcasts/audio/:ticket",
    access: "public",
    rate: "ordinary",
    summary: "The sound that a signed address opens, as far as it is made; ranges are answered",
    input: z.object({ ticket: z.string() }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
  getTranscript: json({
    method: "GET",
    path: "/v1/podcasts/:id/transcript",
    access: "user",
    summary: "The lines of an episode with their citations and times, and its chapters",
    input: Id,
    output: PodcastTranscript,
    fails: ["not_found"],
  }),
  getCaptions: file({
    method: "GET",
    path: "/v1/podcasts/:id/transcript.vtt",
    access: "user",
    summary: "The transcript as WebVTT",
    input: Id,
    fails: ["not_found", "range_not_satisfiable"],
  }),
  getChapters: json({
    method: "GET",
    path: "/v1/podcasts/:id/chapters.json",
    access: "user",
    summary: "The chapters of an episode in the form of Podcasting 2.0",
    input: Id,
    output: ChaptersFile,
    fails: ["not_found"],
  }),
  getThumbnail: file({
    method: "GET",
    path: "/v1/podcasts/:id/thumbnail",
    access: "user",
    summary: "The cover that was drawn for an episode",
    input: Id,
    fails: ["not_found", "range_not_satisfiable"],
  }),
  searchTranscripts: json({
    method: "GET",
    path: "/v1/podcasts/search",
    access: "user",
    summary: "Spoken lines in which the words stand, of the latest episodes first; the last word may be a beginning",
    input: z.object({ q: z.string().min(1).max(400), limit: z.coerce.number().int().min(1).max(50).default(10) }),
    output: z.object({ found: z.array(FoundLine) }),
    fails: [],
  }),
  listVoices: json({
    method: "GET",
    path: "/v1/podcasts/voices",
    access: "user",
    summary: "The guests who can be chosen",
    input: z.object({}),
    output: z.object({ voices: z.array(PodcastVoice) }),
    fails: [],
  }),
  getVoiceSample: file({
    method: "GET",
    path: "/v1/podcasts/voices/:voice/sample",
    access: "user",
    rate: "generation",
    summary: "A guest speaking a few words",
    input: z.object({ voice: z.string().max(60) }),
    fails: ["not_found", "model_unavailable", "range_not_satisfiable"],
  }),
};
