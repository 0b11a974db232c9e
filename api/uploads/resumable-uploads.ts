import type { Blobs } from "#api/blobs/port.ts";
import type { Handlers, ReceivedFile, UserCtx } from "#api/http/handler.ts";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import { countUsage, refundUsage, readUsage } from "#api/user/service.ts";
import {
  decideUpload,
  shouldOfferUpgrade,
  limitsOf,
  remainingToday,
  formatTimeToReset,
  uploadStatus,
} from "#shared/billing/rules.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Component } from "#shared/pages/schema.ts";
import { MIN_PIECE_BYTES, type UploadState, type uploads } from "#shared/uploads/contract.ts";
import { englishOf } from "#shared/messages/translate.ts";
import { classifyFile, classifyVideo, mayCountAgainstDay } from "#shared/uploads/rules.ts";
import { utcDay } from "#shared/user/days.ts";
import {
  appendChunk,
  countUploads,
  findUpload,
  markCounted,
  unmarkCounted,
  presentUpload,
  releaseUpload,
  releaseReservation,
  removeUpload,
  reserveAgain,
  insertUpload,
  leaseUpload,
  type UploadDoc,
} from "./resumable-store.ts";
import { checkSize, type DayCount, dailyQuotaUsed, storeFile } from "./store-upload.ts";
import { findFileComponent, requirePage } from "#api/pages/uploaded-components.ts";
import { insertWithinLimit } from "#api/store/insert-within-limit.ts";

type ResumableHandlers = Pick<
  Handlers<typeof uploads>,
  "getUploadAllowance" | "startUpload" | "getUpload" | "appendToUpload" | "completeUpload" | "cancelUpload"
>;

/** Unfinished uploads per account. */
const MAX_UPLOADS = 100;
/**
 * Lease for assembling a large file, which takes seconds. A crashed process blocks the upload for no longer than this.
 */
const LEASE_MS = 20_000;

const uploadNotFound = () => new Failure("not_found", "no_upload");

export const resumableHandlers: ResumableHandlers = {
  async getUploadAllowance(ctx, file) {
    const now = ctx.clock.now();
    const { plan } = ctx.caller;
    const usage = await readUsage(ctx);
    const allowance = decideUpload({
      plan,
      usage,
      now,
      sizeBytes: file.sizeBytes,
      countsAgainstDay: mayCountAgainstDay(file),
    });
    return {
      outcome: allowance.outcome,
      reason: allowance.outcome === "refused" ? allowance.reason : null,
      message: allowance.outcome === "allowed" ? "" : englishOf(allowance.why),
      maxSizeBytes: limitsOf(plan, now).fileSizeMb * 1024 * 1024,
      status: englishOf(uploadStatus(plan, usage, now)),
      resetsIn: formatTimeToReset(now),
      asksForUpgrade: shouldOfferUpgrade(plan, usage, now),
    };
  },

  async startUpload(ctx, { componentId, pageId, ...file }) {
    const { own } = ctx;
    const existing = await findUploadState(ctx, componentId);
    if (existing) return { upload: existing };
    if (file.sizeBytes === 0) throw new Failure("invalid_file", "file_empty");
    checkSize(ctx, file.family, file.sizeBytes);
    if (mayCountAgainstDay(file)) await requireDayQuota(ctx);
    if (pageId !== undefined) await requirePage(own, pageId);
    const isInserted = await insertWithinLimit(own, {
      name: "uploads",
      max: MAX_UPLOADS,
      count: () => countUploads(own),
      insert: () => insertUpload(ctx, { ...file, componentId, pageId: pageId ?? null }),
      remove: () => removeUpload(own, componentId),
      now: () => ctx.clock.now(),
    });
    // A concurrent start of the same upload may have stored it, or removed it again.
    const saved = await findUpload(own, componentId);
    if (!saved) throw isInserted ? uploadNotFound() : tooManyRequests(60_000);
    return { upload: presentUpload(saved) };
  },

  async getUpload(ctx, { id }) {
    const upload = await findUploadState(ctx, id);
    if (!upload) throw uploadNotFound();
    return { upload };
  },

  async appendToUpload({ own, clock }, { id, offset }, files) {
    const doc = await findUpload(own, id);
    if (!doc) throw uploadNotFound();
    const chunk = files[0];
    if (!chunk) throw new Failure("bad_input", "no_piece_sent");
    if (offset !== doc.offset) throw wrongOffset(doc.offset);
    checkChunk(doc, chunk);
    await chunk.commit();
    const updated = await appendChunk(own, doc, { blobKey: chunk.key, sizeBytes: chunk.sizeBytes }, clock.now());
    if (!updated) throw wrongOffset((await findUpload(own, id))?.offset ?? 0);
    return { upload: presentUpload(updated) };
  },

  async completeUpload(ctx, { id }) {
    const [existingComponent, doc] = await Promise.all([findFileComponent(ctx.own, id), findUpload(ctx.own, id)]);
    if (existingComponent && doc) await removeUpload(ctx.own, id);
    if (existingComponent) return { component: existingComponent };
    if (!doc) throw uploadNotFound();
    if (doc.offset !== doc.sizeBytes) throw wrongOffset(doc.offset);
    return { component: await completeWithLease(ctx, doc) };
  },

  async cancelUpload({ own }, { id }) {
    if ((await removeUpload(own, id)) === 0) throw uploadNotFound();
    return { success: true };
  },
};

/** The state of an upload; an upload that became a component is complete, even long afterwards. */
async function findUploadState({ own }: UserCtx, id: string): Promise<UploadState | undefined> {
  const [doc, component] = await Promise.all([findUpload(own, id), findFileComponent(own, id)]);
  if (doc) return { ...presentUpload(doc), isComplete: component !== undefined };
  if (!component) return undefined;
  const { file } = component.content;
  return { _id: id, family: component.type, name: file.name, sizeBytes: 0, offset: 0, isComplete: true, expiresAt: 0 };
}

async function requireDayQuota(ctx: UserCtx): Promise<void> {
  const limits = limitsOf(ctx.caller.plan, ctx.clock.now());
  if (remainingToday("fileUploads", limits, await readUsage(ctx)) === 0) throw dailyQuotaUsed(limits.fileUploads);
}

const wrongOffset = (offset: number) => new Failure("version_conflict", "upload_offset", {}, { offset });

/** Refuses an invalid file at its first chunk, before further chunks are sent. */
function checkChunk(doc: UploadDoc, chunk: ReceivedFile): void {
  const left = doc.sizeBytes - doc.offset;
  if (chunk.sizeBytes > left) throw new Failure("bad_input", "upload_overflow");
  if (chunk.sizeBytes < Math.min(MIN_PIECE_BYTES, left))
    throw new Failure("bad_input", "piece_too_small", { bytes: MIN_PIECE_BYTES });
  if (doc.offset > 0) return;
  const { name, type, sizeBytes, family } = doc;
  const verdict = (family === "video" ? classifyVideo : classifyFile)({ name, type, sizeBytes, head: chunk.head });
  if (!verdict.ok) throw new Failure(verdict.code, verdict.why);
}

/** The first of two concurrent completions creates the component; the other fails and asks for a retry. */
async function completeWithLease(ctx: UserCtx, doc: UploadDoc): Promise<Component> {
  const { own, clock } = ctx;
  const now = clock.now();
  if (!(await leaseUpload(own, doc, now, now + LEASE_MS))) throw tooManyRequests(1_000);
  try {
    return await complete(ctx, doc);
  } finally {
    await releaseUpload(own, doc);
  }
}

async function complete(ctx: UserCtx, doc: UploadDoc): Promise<Component> {
  const { family, componentId, sizeBytes, pageId, name, type } = doc;
  const received = await ctx.blobs.receive(joinChunks(ctx.blobs, doc), sizeBytes);
  const file: ReceivedFile = Object.assign(received, { field: "file", name, type });
  // From here on, the file counts against the storage instead of the upload.
  await releaseReservation(ctx.own, doc);
  try {
    const target = { pageId: pageId ?? undefined, componentId };
    const component = await storeFile(ctx, { family, file, ...target, day: uploadDayCount(ctx, doc) });
    // From here on the component represents the upload; the chunks are swept later.
    await removeUpload(ctx.own, componentId);
    return component;
  } catch (error) {
    await reserveAgain(ctx, doc);
    throw error;
  } finally {
    await file.discard();
  }
}

async function* joinChunks(blobs: Blobs, { pieces }: UploadDoc): AsyncGenerator<Uint8Array> {
  for (const { blobKey } of pieces) yield* (await blobs.open(blobKey)) as AsyncIterable<Uint8Array>;
}

/** Marks the upload before it is counted, so that a crash in between leaves it uncounted rather than counted twice. */
function uploadDayCount(ctx: UserCtx, doc: UploadDoc): DayCount {
  return {
    async tryCount(limit) {
      const isNew = await markCounted(ctx.own, doc, utcDay(ctx.clock.now()));
      if (!isNew) return true;
      const { outcome } = await countUsage(ctx, "fileUploads", 1, limit);
      if (outcome === "counted") return true;
      await unmarkCounted(ctx.own, doc);
      return false;
    },
    async refund() {
      const period = (await findUpload(ctx.own, doc.componentId))?.chargedOn;
      if (period === null || period === undefined) return;
      await unmarkCounted(ctx.own, doc);
      await refundUsage(ctx.own, { counter: "fileUploads", by: 1, period });
    },
  };
}
