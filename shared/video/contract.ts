import { z } from "zod";
import { reasonFields } from "#shared/messages/schema.ts";
import { file, json, stream, upload } from "#shared/contract/endpoint.ts";
import { Component } from "#shared/pages/schema.ts";
import {
  Chapter,
  GivenSegment,
  Language,
  MAX_SEGMENTS,
  OfferedTrack,
  SpeechEvent,
  Transcript,
  TranscriptHit,
  TranscriptSource,
  TranscriptSummary,
} from "./schema.ts";

const TRANSCRIPT_BYTES = 16 * 1024 * 1024;

const place = {
  pageId: z.string().max(64).optional(),
  /** The client's own id, so that a repeat makes no second component. */
  componentId: z.string().min(10).max(64).optional(),
};

const wish = { language: Language.optional(), source: TranscriptSource.optional() };

export const video = {
  createVideoComponent: json({
    method: "POST",
    path: "/v1/pages/create/video_component",
    access: "user",
    summary: "Make a component of a video's address: YouTube by any of its addresses, or a video file on the web",
    input: z.object({ url: z.string().max(4000), ...place }),
    output: z.object({ component: Component }),
    fails: ["bad_input", "not_found"],
  }),
  getVideo: json({
    method: "GET",
    path: "/v1/video/:id",
    access: "user",
    summary: "A video component with what is known of it: its transcripts, and chapters that its description names",
    input: z.object({ id: z.string() }),
    output: z.object({
      component: Component,
      transcripts: z.array(TranscriptSummary),
      /** Further languages that YouTube said it has. */
      offered: z.array(OfferedTrack),
      chapters: z.array(Chapter),
      /** Whether what is said in it could be written down by a speech server, and if not why. */
      speech: z.object({ hasFile: z.boolean(), isSet: z.boolean(), problem: z.string().nullable(), ...reasonFields }),
    }),
    fails: ["not_found"],
  }),
  signStream: json({
    method: "POST",
    path: "/v1/video/:id/stream",
    access: "user",
    summary: "An address at which a player, which can send no token, gets the bytes of one uploaded video for a while",
    input: z.object({ id: z.string() }),
    output: z.object({ url: z.string(), type: z.string(), sizeBytes: z.int(), expiresAt: z.number() }),
    fails: ["not_found"],
  }),
  getStream: file({
    method: "GET",
    path: "/v1/video/stream/:ticket",
    access: "public",
    summary: "The bytes of the video that a signed address opens; ranges are answered",
    input: z.object({ ticket: z.string() }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
  getTranscript: json({
    method: "GET",
    path: "/v1/video/:id/transcript",
    access: "user",
    etag: true,
    summary: "What is said in a video, line by line with times; fetched from YouTube where nobody handed it in",
    input: z.object({ id: z.string(), ...wish }),
    output: z.object({ transcript: Transcript }),
    fails: ["not_found", "no_transcript"],
  }),
  putTranscript: json({
    method: "PUT",
    path: "/v1/video/:id/transcript",
    access: "user",
    bodyBytes: TRANSCRIPT_BYTES,
    summary: "Hand in a transcript that a client has read; it comes before what this server could fetch",
    input: z.object({
      id: z.string(),
      language: Language,
      name: z.string().max(200).default(""),
      isGenerated: z.boolean().default(false),
      segments: z.array(GivenSegment).min(1).max(MAX_SEGMENTS),
      /** As the player shows them; they serve where YouTube told this server of none. */
      chapters: z.array(Chapter).max(500).default([]),
    }),
    output: z.object({ transcript: TranscriptSummary }),
    fails: ["bad_input", "not_found", "too_large"],
  }),
  uploadCaptions: upload({
    method: "POST",
    path: "/v1/video/:id/captions",
    access: "user",
    rate: "upload",
    summary: "Put a captions file (WebVTT or SubRip) beside a video",
    input: z.object({ id: z.string(), language: Language.default("und") }),
    maxFiles: 1,
    output: z.object({ transcript: TranscriptSummary }),
    fails: ["bad_input", "invalid_file", "not_found", "too_large"],
  }),
  removeTranscript: json({
    method: "DELETE",
    path: "/v1/video/:id/transcript",
    access: "user",
    summary: "Take away a transcript of one source and language",
    input: z.object({ id: z.string(), source: TranscriptSource, language: Language }),
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  refreshTranscript: json({
    method: "POST",
    path: "/v1/video/:id/transcript/refresh",
    access: "user",
    summary: "Ask YouTube again; many at once are one question",
    input: z.object({ id: z.string(), language: Language.optional() }),
    output: z.object({ transcript: TranscriptSummary }),
    fails: ["bad_input", "not_found", "no_transcript"],
  }),
  searchTranscript: json({
    method: "GET",
    path: "/v1/video/:id/transcript/search",
    access: "user",
    summary: "Where words are said in a video, without regard to case and accents",
    input: z.object({ id: z.string(), q: z.string().min(1).max(400), ...wish }),
    output: z.object({ hits: z.array(TranscriptHit) }),
    fails: ["not_found", "no_transcript"],
  }),
  startSpeech: json({
    method: "POST",
    path: "/v1/video/:id/transcript/speech",
    access: "user",
    rate: "generation",
    summary: "Have the speech server write down what is said in an uploaded video",
    input: z.object({ id: z.string(), language: Language.optional() }),
    output: z.object({ jobId: z.string() }),
    fails: ["bad_input", "not_found", "model_unavailable"],
  }),
  followSpeech: stream({
    method: "GET",
    path: "/v1/video/:id/transcript/speech",
    access: "user",
    summary: "What became of the latest speech recognition of a video, from the event after `after`",
    input: z.object({ id: z.string(), after: z.coerce.number().int().min(0).default(0) }),
    event: SpeechEvent,
    fails: ["not_found"],
  }),
  cancelSpeech: json({
    method: "DELETE",
    path: "/v1/video/:id/transcript/speech",
    access: "user",
    summary: "Stop the speech recognition of a video",
    input: z.object({ id: z.string() }),
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
};
