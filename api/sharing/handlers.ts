import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { sharing } from "#shared/sharing/contract.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { fileAnswer } from "#api/blobs/file-answer.ts";
import { findFile } from "#api/blobs/file-records.ts";
import { identify } from "#api/http/guard.ts";
import type { Ctx, FileAnswer, Handlers, UserCtx } from "#api/http/handler.ts";
import { ownedBy } from "#api/store/owned.ts";
import { filesIn, findComponent, saveCopy } from "#api/pages/service.ts";
import { explore, presentItem } from "./explore.ts";
import { forgetListing, noteListing } from "./listing.ts";
import { endShare, presentShare, saveShare } from "./owner.ts";
import { findShared, findTarget, presentShared, withoutTrailsOf } from "./shown.ts";
import {
  countCopy,
  countOn,
  findShare,
  findShareOf,
  keepLook,
  keyOf,
  listReportDocs,
  saveReport,
  type ShareDoc,
  sharesOf,
  takeDownShare,
} from "./store.ts";
import { isFirstLook } from "./visits.ts";

const REPORTS_SHOWN = 200;

export const noSuchShare = () => new Failure("not_found", "shared_link_dead");

async function requireShare({ store }: Ctx, shareId: string): Promise<ShareDoc> {
  const share = await findShare(store, shareId);
  if (!share) throw noSuchShare();
  return share;
}

export const handlers: Handlers<typeof sharing> = {
  async getShare({ own }, { type, id }) {
    if (!(await findTarget(own, type, id))) throw new Failure("not_found", "nothing_like_that");
    const [share] = await sharesOf(own).find({ key: keyOf(type, id) }, { limit: 1 });
    return { share: share ? presentShare(share) : null };
  },

  async putShare(ctx, wanted) {
    const share = await saveShare(ctx, wanted);
    await noteListing(ctx, share);
    return { share: presentShare(share) };
  },

  async endShare(ctx, { type, id }) {
    const ended = await endShare(ctx.own, keyOf(type, id));
    if (ended) await forgetListing(ctx, ended);
    return { success: true as const };
  },

  async recordView(ctx, { type, id }) {
    const share = await findShareOf(ctx.store, type, id);
    if (!share) throw noSuchShare();
    const isOwner = (await callerOf(ctx)) === share.ownerId;
    if (!isOwner && isFirstLook(share._id, ctx.address, ctx.clock.now()))
      await countOn(ctx.store, share._id, { views: 1 });
    return { success: true as const };
  },

  async recordDuplicate({ store, own }, { type, id, resultContentId }) {
    const share = await findShareOf(store, type, id);
    // Count only copies that exist in the caller's account.
    const isCopy = (await findTarget(own, "page", resultContentId)) ?? (await findComponent(own, resultContentId));
    if (!share || !isCopy) throw noSuchShare();
    if (share.ownerId !== own.ownerId) await countCopy(store, share, resultContentId);
    return { success: true as const };
  },

  async openShare(ctx, { share: shareId }) {
    const share = await requireShare(ctx, shareId);
    const target = await findShared(ctx.store, share);
    if (!target) throw noSuchShare();
    const { title, emoji } = target;
    if (title !== share.title || emoji !== share.emoji) await seeAnew(ctx, share, { title, emoji });
    const head = presentItem({ ...share, title, emoji });
    return { shared: { ...head, targetId: share.targetId, components: presentShared(target.components, share) } };
  },

  getSharedFile: async (ctx, { share, fileId }) => answerWithFile(ctx, await requireShare(ctx, share), fileId),

  async reportShare(ctx, { share: shareId, reason, text }) {
    const share = await requireShare(ctx, shareId);
    await saveReport(ctx.store, { _id: ulid(), shareId: share._id, reason, text, createdAt: ctx.clock.now() });
    return { success: true as const };
  },

  async listReports({ store }) {
    const held = await listReportDocs(store, REPORTS_SHOWN);
    const shares = new Map((await Promise.all(held.map((r) => findShare(store, r.shareId)))).map((s) => [s?._id, s]));
    return {
      reports: held.flatMap((report) => {
        const share = shares.get(report.shareId);
        return share ? [{ ...report, title: share.title }] : [];
      }),
    };
  },

  async takeDown(ctx, { share }) {
    const takenDown = await takeDownShare(ctx.store, share, ctx.clock.now());
    if (!takenDown) throw noSuchShare();
    await forgetListing(ctx, takenDown);
    return { success: true as const };
  },

  explore: (ctx, wanted) => explore(ctx, wanted),

  duplicatePage: (ctx, { id, copyId }) => duplicate(ctx, "page", id, copyId),

  async duplicateComponent(ctx, { type, id, copyId }) {
    const { components } = await duplicate(ctx, type, id, copyId);
    const [component] = components;
    if (!component) throw noSuchShare();
    return { component };
  },
};

/** Updates the title and emoji shown in lists when somebody opens the share. */
async function seeAnew(ctx: Ctx, share: ShareDoc, look: Pick<ShareDoc, "title" | "emoji">): Promise<void> {
  const seen = await keepLook(ctx.store, share._id, look);
  if (seen) await noteListing(ctx, seen);
}

/** The signed-in user, if any: public content is shown to everyone. */
async function callerOf(ctx: Ctx): Promise<string | undefined> {
  const authorization = ctx.header("authorization");
  if (authorization === undefined) return undefined;
  return (await identify(ctx, authorization).catch(() => undefined))?.userId;
}

/** Copies the caller's own content or a shared one; anything else counts as missing. */
async function duplicate(ctx: UserCtx, type: ShareType, id: string, copyId = ulid(ctx.clock.now())) {
  const { own, store, clock } = ctx;
  const mine = await findTarget(own, type, id);
  const share = mine ? undefined : await findShareOf(store, type, id);
  const target = mine ?? (share && (await findShared(store, share)));
  if (!target) throw noSuchShare();
  const components = share ? withoutTrailsOf(target.components, share.targetId) : target.components;
  const from = share ? ownedBy(store, share.ownerId) : own;
  const { title, emoji } = target;
  return saveCopy({ from, to: own, copyId, title, emoji, components, now: clock.now() });
}

async function answerWithFile({ store, blobs }: Ctx, share: ShareDoc, fileId: string): Promise<FileAnswer> {
  const target = await findShared(store, share);
  const file =
    target && filesIn(target.components).has(fileId)
      ? await findFile(ownedBy(store, share.ownerId), fileId)
      : undefined;
  if (!file) throw new Failure("not_found", "no_file");
  return fileAnswer(blobs, file);
}
