import { z } from "zod";
import { file, json, upload } from "#shared/contract/endpoint.ts";
import { Component } from "./schema.ts";

/** The most that one piece of a resumable upload may hold, and the least unless it is the last. */
export const MAX_PIECE_BYTES = 16 * 1024 * 1024;
export const MIN_PIECE_BYTES = 256 * 1024;

const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const MAX_FILM_MS = 7 * 86_400_000;

/** `pageId` puts it on a page; `componentId` is the client's own id, so that a repeat makes no second one. */
const place = {
  pageId: z.string().max(64).optional(),
  componentId: z.string().min(10).max(64).optional(),
};

const UploadFamily = z.enum(["image", "video"]);
const described = {
  name: z.string().max(1000),
  /** The media type that the sender claims; may be empty. */
  type: z.string().max(200),
  sizeBytes: z.int().min(0),
};

/** An upload in pieces, known by the id of the component that it will become. */
export const UploadState = z.object({
  _id: z.string(),
  family: UploadFamily,
  name: z.string(),
  sizeBytes: z.int(),
  /** How much has come: the next piece begins here. */
  offset: z.int(),
  isComplete: z.boolean(),
  /** When it is forgotten unless something more comes. */
  expiresAt: z.number(),
});
export type UploadState = z.infer<typeof UploadState>;

export const UploadAllowance = z.object({
  outcome: z.enum(["allowed", "approaching_limit", "refused"]),
  reason: z.enum(["file_size", "daily_limit"]).nullable(),
  /** For people; empty where there is nothing to say. */
  message: z.string(),
  maxSizeBytes: z.int(),
  /** One line about the day's uploads. */
  status: z.string(),
  /** Until UTC midnight, as "5h 12m". */
  resetsIn: z.string(),
  asksForUpgrade: z.boolean(),
});

const receiveFails = [
  "bad_input",
  "invalid_file",
  "invalid_pdf",
  "unsupported_file_type",
  "limit_reached",
  "too_large",
  "timed_out",
  "not_found",
] as const;

export const uploads = {
  uploadImageComponent: upload({
    method: "POST",
    path: "/v1/pages/upload/image_component",
    access: "user",
    rate: "upload",
    summary: "Store an image, a PDF, a Word or a PowerPoint file as a component",
    input: z.object(place),
    maxFiles: 1,
    output: z.object({ component: Component }),
    fails: receiveFails,
  }),
  uploadVideoComponent: upload({
    method: "POST",
    path: "/v1/pages/upload/video_component",
    access: "user",
    rate: "upload",
    summary: "Store a video file as a component",
    input: z.object(place),
    maxFiles: 1,
    output: z.object({ component: Component }),
    fails: receiveFails,
  }),
  getUploadAllowance: json({
    method: "GET",
    path: "/v1/upload_allowance",
    access: "user",
    summary: "Whether a file may be uploaded now: its size first, then the day's uploads",
    input: z.object({ ...described, sizeBytes: z.coerce.number().int().min(0) }),
    output: UploadAllowance,
    fails: [],
  }),
  startUpload: json({
    method: "POST",
    path: "/v1/uploads",
    access: "user",
    rate: "upload",
    summary: "Begin an upload in pieces, or find one that began under this id",
    input: z.object({
      ...described,
      family: UploadFamily,
      pageId: place.pageId,
      componentId: z.string().min(10).max(64),
    }),
    output: z.object({ upload: UploadState }),
    fails: ["bad_input", "invalid_file", "limit_reached", "too_large", "not_found", "too_many_requests"],
  }),
  getUpload: json({
    method: "GET",
    path: "/v1/uploads/:id",
    access: "user",
    summary: "How much of an upload has come, so that it can go on from there",
    input: z.object({ id: z.string() }),
    output: z.object({ upload: UploadState }),
    fails: ["not_found"],
  }),
  appendToUpload: upload({
    method: "PATCH",
    path: "/v1/uploads/:id",
    access: "user",
    rate: "upload",
    summary: "Bring the piece that begins at `offset`; at any other place than the next one it changes nothing",
    input: z.object({ id: z.string(), offset: z.coerce.number().int().min(0) }),
    maxFiles: 1,
    maxFileBytes: MAX_PIECE_BYTES,
    output: z.object({ upload: UploadState }),
    /** `version_conflict` carries the right `offset` in its data. */
    fails: [
      "bad_input",
      "invalid_file",
      "invalid_pdf",
      "unsupported_file_type",
      "not_found",
      "too_large",
      "version_conflict",
    ],
  }),
  completeUpload: json({
    method: "POST",
    path: "/v1/uploads/:id/complete",
    access: "user",
    rate: "upload",
    summary: "Make the component of an upload that has come whole; a repeat answers with the same one",
    input: z.object({ id: z.string() }),
    output: z.object({ component: Component }),
    fails: [...receiveFails, "version_conflict", "too_many_requests"],
  }),
  cancelUpload: json({
    method: "DELETE",
    path: "/v1/uploads/:id",
    access: "user",
    summary: "Forget an upload and what has come of it; a component that it became stays",
    input: z.object({ id: z.string() }),
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
  getPdfThumbnail: file({
    method: "GET",
    path: "/v1/component/pdf_get_thumbnail",
    access: "user",
    summary: "A small picture of a PDF's first page, or of an image; Word and PowerPoint files have none",
    input: z.object({ componentId: z.string() }),
    fails: ["not_found"],
  }),
  getVideoThumbnail: file({
    method: "GET",
    path: "/v1/component/video_get_thumbnail",
    access: "user",
    summary: "A small picture of a video, where a browser has handed one in",
    input: z.object({ componentId: z.string() }),
    fails: ["not_found"],
  }),
  putVideoThumbnail: upload({
    method: "PUT",
    path: "/v1/component/:componentId/thumbnail",
    access: "user",
    rate: "upload",
    summary: "Hand in a frame of a video as its small picture, drawn anew without what else it holds, and its length",
    input: z.object({
      componentId: z.string(),
      durationMs: z.coerce.number().int().min(1).max(MAX_FILM_MS).optional(),
    }),
    maxFiles: 1,
    maxFileBytes: MAX_FRAME_BYTES,
    output: z.object({ component: Component }),
    fails: ["bad_input", "invalid_file", "invalid_pdf", "unsupported_file_type", "not_found", "too_large"],
  }),
  downloadImage: file({
    method: "GET",
    path: "/v1/image_download",
    access: "user",
    rate: "upload",
    summary: "The image or document that stands at a public address, its type told by its content",
    input: z.object({ url: z.string().min(1).max(4000) }),
    fails: ["bad_input", "invalid_file", "invalid_pdf", "unsupported_file_type", "too_large", "timed_out"],
  }),
  getFile: file({
    method: "GET",
    path: "/v1/files/:fileId",
    access: "user",
    summary: "The bytes of one of the caller's files; ranges are answered",
    input: z.object({ fileId: z.string() }),
    fails: ["not_found", "range_not_satisfiable"],
  }),
};
