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
/** More than an episode may have, so that too many sources get the handler's own message, not a schema error. */
const MAX_SENT_SOURCES = 50;

export const podcasts = {
  getPodcast: json({
    method: "GET",
    path: "/v1/podcasts/:id",
    access: "user",
    summary: "An episode, with its progress while it is being made",
    input: Id,
    output: OnePodcast,
    fails: ["not_found"],
  }),
  createPodcast: json({
    method: "POST",
    path: "/v1/podcasts/create",
    access: "user",
    rate: "generation",
    summary: "Make an episode from one to three sources; repeating a request with the same `id` creates one episode",
    input: z.object({
      id: z.string().min(10).max(64).optional(),
      title: z.string().max(300).default(""),
      sources: z
        .array(PodcastSource.omit({ title: true }))
        .max(MAX_SENT_SOURCES)
        .default([]),
      guest: z.object({ name: z.string().max(60).default(""), voice: z.string().max(60).default("") }).optional(),
      length_minutes: PodcastLength.default(10),
      has_breaks: z.boolean().default(true),
      /** Whether the built-in voice may speak lines that the speech server fails to speak. */
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
    summary: "Permanently delete an episode and its audio; stops it if it is being made",
    input: Id,
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  retryPodcast: json({
    method: "POST",
    path: "/v1/podcasts/:id/retry",
    access: "user",
    rate: "generation",
    summary: "Make a failed episode again; lines that were already synthesised are reused",
    input: Id,
    output: OnePodcast,
    fails: ["limit_reached", "not_found", "storage_full"],
  }),
  updatePodcast: json({
    method: "PATCH",
    path: "/v1/podcasts/:id",
    access: "user",
    summary: "Rename, archive or restore an episode",
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
    summary: "Save the playback position, so that other devices can resume there",
    input: Id.extend({
      position_ms: z
        .int()
        .min(0)
        .max(24 * 3_600_000),
      /** When the listener was at this position; the position with the latest time wins. */
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
    summary: "A temporary signed URL of an episode's audio, for players that cannot send a token",
    input: Id,
    output: z.object({ url: z.string(), sizeBytes: z.int(), durationMs: z.int(), expiresAt: z.number() }),
    fails: ["not_found"],
  }),
  getAudio: file({
    method: "GET",
    path: "/v1/podcasts/audio/:ticket",
    access: "public",
    rate: "ordinary",
    summary: "The audio behind a signed URL, as far as it has been made; supports range requests",
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
    summary: "The chapters of an episode in the Podcasting 2.0 JSON chapters format",
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
    summary: "Spoken lines that contain all the words, latest episodes first; the last word matches as a prefix",
    input: z.object({ q: z.string().min(1).max(400), limit: z.coerce.number().int().min(1).max(50).default(10) }),
    output: z.object({ found: z.array(FoundLine) }),
    fails: [],
  }),
  listVoices: json({
    method: "GET",
    path: "/v1/podcasts/voices",
    access: "user",
    summary: "The available guest voices",
    input: z.object({}),
    output: z.object({ voices: z.array(PodcastVoice) }),
    fails: [],
  }),
  getVoiceSample: file({
    method: "GET",
    path: "/v1/podcasts/voices/:voice/sample",
    access: "user",
    rate: "generation",
    summary: "A short sample of a guest's voice",
    input: z.object({ voice: z.string().max(60) }),
    fails: ["not_found", "model_unavailable", "range_not_satisfiable"],
  }),
};
