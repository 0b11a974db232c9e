import type { Blobs } from "#api/blobs/port.ts";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { tooMany } from "#api/http/limits.ts";
import { countUsage, giveBack, readUsage } from "#api/user/service.ts";
import { allowUpload, asksForUpgrade, limitsOf, remaining, timeToReset, uploadStatus } from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { MIN_PIECE_BYTES, type UploadState, type uploads } from "#shared/pages/upload-contract.ts";
import { englishOf } from "#shared/messages/translate.ts";
import { judgeFile, judgeVideo, seemsToCount } from "#shared/pdf/upload-rules.ts";
import { utcDay } from "#shared/user/rules.ts";
import {
  addPiece,
  countUploads,
  findUpload,
  noteCounted,
  noteNotCounted,
  presentUpload,
  releaseUpload,
  removeUpload,
  saveUpload,
  takeUpload,
  type UploadDoc,
} from "./resumable-store.ts";
import { checkSize, type DayCount, dayIsUsedUp, storeFile } from "./store-upload.ts";
import { findUploaded, requirePage } from "./uploaded-components.ts";

type ResumableHandlers = Pick<
  Handlers<typeof uploads>,
  "getUploadAllowance" | "startUpload" | "getUpload" | "appendToUpload" | "completeUpload" | "cancelUpload"
>;

/** Unfinished uploads per account. */
const MAX_UPLOADS = 100;
/** Lease for assembling a large file, which takes seconds; a crashed process blocks nobody for longer. */
const BUSY_MS = 20_000;

const noSuchUpload = () => new Failure("not_found", "no_upload");

export const resumableHandlers: ResumableHandlers = {
  async getUploadAllowance(ctx, file) {
    const now = ctx.clock.now();
    const { plan } = ctx.caller;
    const usage = await readUsage(ctx);
    const allowance = allowUpload({
      plan,
      usage,
      now,
      sizeBytes: file.sizeBytes,
      countsAgainstDay: seemsToCount(file),
    });
    return {
      outcome: allowance.outcome,
      reason: allowance.outcome === "refused" ? allowance.reason : null,
      message: allowance.outcome === "allowed" ? "" : englishOf(allowance.why),
      maxSizeBytes: limitsOf(plan, now).fileSizeMb * 1024 * 1024,
      status: englishOf(uploadStatus(plan, usage, now)),
      resetsIn: timeToReset(now),
      asksForUpgrade: asksForUpgrade(plan, usage, now),
    };
  },

  async startUpload(ctx, { componentId, pageId, ...file }) {
    const { own, clock } = ctx;
    const known = await stateOf(ctx, componentId);
    if (known) return { upload: known };
    if (file.sizeBytes === 0) throw new Failure("invalid_file", "file_empty");
    checkSize(ctx, file.family, file.sizeBytes);
    if (seemsToCount(file)) await checkDay(ctx);
    if (pageId !== undefined) await requirePage(own, pageId);
    if ((await countUploads(own)) >= MAX_UPLOADS) throw tooMany(60_000);
    const saved = await saveUpload(own, { ...file, componentId, pageId: pageId ?? null }, clock.now());
    if (!saved) throw noSuchUpload();
    return { upload: presentUpload(saved) };
  },

  async getUpload(ctx, { id }) {
    const upload = await stateOf(ctx, id);
    if (!upload) throw noSuchUpload();
    return { upload };
  },

  async appendToUpload({ own, clock }, { id, offset }, files) {
    const doc = await findUpload(own, id);
    if (!doc) throw noSuchUpload();
    const piece = files[0];
    if (!piece) throw new Failure("bad_input", "no_piece_sent");
    if (offset !== doc.offset) throw wrongOffset(doc.offset);
    checkPiece(doc, piece);
    await piece.keep();
    const after = await addPiece(own, doc, { blobKey: piece.key, sizeBytes: piece.sizeBytes }, clock.now());
    if (!after) throw wrongOffset((await findUpload(own, id))?.offset ?? 0);
    return { upload: presentUpload(after) };
  },

  async completeUpload(ctx, { id }) {
    const [already, doc] = await Promise.all([findUploaded(ctx.own, id), findUpload(ctx.own, id)]);
    if (already && doc) await removeUpload(ctx.own, id);
    if (already) return { component: already };
    if (!doc) throw noSuchUpload();
    if (doc.offset !== doc.sizeBytes) throw wrongOffset(doc.offset);
    return { component: await completeOnce(ctx, doc) };
  },

  async cancelUpload({ own }, { id }) {
    if ((await removeUpload(own, id)) === 0) throw noSuchUpload();
    return { success: true };
  },
};

/** The state of an upload; one that became a component is complete, however long ago. */
async function stateOf({ own }: UserCtx, id: string): Promise<UploadState | undefined> {
  const [doc, made] = await Promise.all([findUpload(own, id), findUploaded(own, id)]);
  if (doc) return { ...presentUpload(doc), isComplete: made !== undefined };
  if (!made) return undefined;
  const { file } = made.content;
  return { _id: id, family: made.type, name: file.name, sizeBytes: 0, offset: 0, isComplete: true, expiresAt: 0 };
}

async function checkDay(ctx: UserCtx): Promise<void> {
  const limits = limitsOf(ctx.caller.plan, ctx.clock.now());
  if (remaining("fileUploads", limits, await readUsage(ctx)) === 0) throw dayIsUsedUp(limits.fileUploads);
}

const wrongOffset = (offset: number) => new Failure("version_conflict", "upload_offset", {}, { offset });

/** Refuses an invalid file at its first chunk, before the rest is sent. */
function checkPiece(doc: UploadDoc, piece: ReceivedFile): void {
  const left = doc.sizeBytes - doc.offset;
  if (piece.sizeBytes > left) throw new Failure("bad_input", "upload_overflow");
  if (piece.sizeBytes < Math.min(MIN_PIECE_BYTES, left))
    throw new Failure("bad_input", "piece_too_small", { bytes: MIN_PIECE_BYTES });
  if (doc.offset > 0) return;
  const { name, type, sizeBytes, family } = doc;
  const verdict = (family === "video" ? judgeVideo : judgeFile)({ name, type, sizeBytes, head: piece.head });
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
}

/** Of two concurrent completions the first creates the component and the other is told to retry. */
async function completeOnce(ctx: UserCtx, doc: UploadDoc): Promise<Component> {
  const { own, clock } = ctx;
  const now = clock.now();
  if (!(await takeUpload(own, doc, now, now + BUSY_MS))) throw tooMany(1_000);
  try {
    return await complete(ctx, doc);
  } finally {
    await releaseUpload(own, doc);
  }
}

async function complete(ctx: UserCtx, doc: UploadDoc): Promise<Component> {
  const { family, componentId, sizeBytes, pageId, name, type } = doc;
  const received = await ctx.blobs.receive(joined(ctx.blobs, doc), sizeBytes);
  const file: ReceivedFile = Object.assign(received, { field: "file", name, type });
  try {
    const place = { pageId: pageId ?? undefined, componentId };
    const component = await storeFile(ctx, { family, file, ...place, day: countOf(ctx, doc) });
    // From here on the component represents the upload; the chunks are swept later.
    await removeUpload(ctx.own, componentId);
    return component;
  } finally {
    await file.discard();
  }
}

async function* joined(blobs: Blobs, { pieces }: UploadDoc): AsyncGenerator<Uint8Array> {
  for (const { blobKey } of pieces) yield* (await blobs.open(blobKey)) as AsyncIterable<Uint8Array>;
}

/** Recorded in the upload before it is counted: a crash in between leaves it uncounted rather than counted twice. */
function countOf(ctx: UserCtx, doc: UploadDoc): DayCount {
  return {
    async take(limit) {
      const isNew = await noteCounted(ctx.own, doc, utcDay(ctx.clock.now()));
      if (!isNew) return true;
      const { outcome } = await countUsage(ctx, "fileUploads", 1, limit);
      if (outcome === "counted") return true;
      await noteNotCounted(ctx.own, doc);
      return false;
    },
    async giveBack() {
      const period = (await findUpload(ctx.own, doc.componentId))?.countedOn;
      if (period === null || period === undefined) return;
      await noteNotCounted(ctx.own, doc);
      await giveBack(ctx.own, { counter: "fileUploads", by: 1, period });
    },
  };
}
