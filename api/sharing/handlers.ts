import { ulid } from "ulid";
import { Failure } from "#shared/contract/failure.ts";
import type { sharing } from "#shared/sharing/contract.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { createFileAnswer } from "#api/http/file-answer.ts";
import { findFile } from "#api/blobs/file-records.ts";
import { authenticate } from "#api/http/authenticate.ts";
import type { Ctx, FileAnswer, Handlers, UserCtx } from "#api/http/handler.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { savePageCopy } from "#api/pages/create/copy-page.ts";
import { findComponent } from "#api/pages/find-component.ts";
import { readSharedEpisode } from "#api/podcasts/shared-episode.ts";
import { exploreShares } from "./explore.ts";
import { removeListing, updateListing } from "./listing.ts";
import { endShare, presentPublicFields, presentShare, saveShare } from "./own-shares.ts";
import { listOpenReports } from "./reports.ts";
import {
  findShared,
  findSharedHead,
  findTarget,
  findTargetHead,
  type SharedHead,
  withoutOutsideReferences,
} from "./shared-content.ts";
import { isFileShared, readSharedPart } from "./shared-part.ts";
import {
  countCopy,
  incrementCount,
  findShare,
  findShareOf,
  saveShareHeader,
  shareKey,
  saveReport,
  type ShareDoc,
  sharesOf,
  removeReport,
  takeDownShare,
} from "./store.ts";
import { isFirstView } from "./views.ts";

export const shareNotFound = () => new Failure("not_found", "shared_link_dead");

async function requireShare({ store }: Ctx, shareId: string): Promise<ShareDoc> {
  const share = await findShare(store, shareId);
  if (!share) throw shareNotFound();
  return share;
}

async function requireHead({ store }: Ctx, share: ShareDoc): Promise<SharedHead> {
  const head = await findSharedHead(store, share);
  if (!head) throw shareNotFound();
  return head;
}

export const handlers: Handlers<typeof sharing> = {
  async getShare({ own }, { type, id }) {
    if (!(await findTargetHead(own, type, id))) throw new Failure("not_found", "no_item");
    const [share] = await sharesOf(own).find({ key: shareKey(type, id) }, { limit: 1 });
    return { share: share ? presentShare(share) : null };
  },

  async putShare(ctx, input) {
    const share = await saveShare(ctx, input);
    await updateListing(ctx, share);
    return { share: presentShare(share) };
  },

  async endShare(ctx, { type, id }) {
    const endedShare = await endShare(ctx.own, shareKey(type, id));
    if (endedShare) await removeListing(ctx, endedShare);
    return { success: true as const };
  },

  async recordView(ctx, { type, id }) {
    const share = await findShareOf(ctx.store, type, id);
    if (!share) throw shareNotFound();
    const callerId = await findCallerId(ctx);
    const isOwner = callerId === share.ownerId;
    if (!isOwner && isFirstView(share._id, callerId ?? ctx.address, ctx.clock.now()))
      await incrementCount(ctx.store, share._id, { views: 1 });
    return { success: true as const };
  },

  async recordDuplicate({ store, own }, { type, id, resultContentId }) {
    const share = await findShareOf(store, type, id);
    // Count only copies that exist in the caller's account.
    const isCopy = (await findTargetHead(own, "page", resultContentId)) ?? (await findComponent(own, resultContentId));
    if (!share || !isCopy) throw shareNotFound();
    if (share.ownerId !== own.ownerId) await countCopy(store, share, resultContentId);
    return { success: true as const };
  },

  async openShare(ctx, { share: shareId, from }) {
    const share = await requireShare(ctx, shareId);
    const { title, emoji, version } = await requireHead(ctx, share);
    if (title !== share.title || emoji !== share.emoji) await refreshListing(ctx, share, { title, emoji });
    const { components, next } = await readSharedPart(ctx.store, share, version, from);
    const podcast =
      share.type === "podcast" ? await readSharedEpisode(ownedBy(ctx.store, share.ownerId), share.targetId) : undefined;
    const item = { ...presentPublicFields({ ...share, title }), emoji, targetId: share.targetId, components, podcast };
    if (share.type === "website_project") return { shared: { ...item, siteUrl: ctx.previews.addressOf(share._id) } };
    return { shared: next === undefined ? item : { ...item, next } };
  },

  getSharedFile: async (ctx, { share, fileId }) => openSharedFile(ctx, await requireShare(ctx, share), fileId),

  async reportShare(ctx, { share: shareId, reason, text }) {
    const share = await requireShare(ctx, shareId);
    await saveReport(ctx.store, { _id: ulid(), shareId: share._id, reason, text, createdAt: ctx.clock.now() });
    return { success: true as const };
  },

  listReports: ({ store }, { after, ...filter }) => listOpenReports(store, filter, after),

  async dismissReport({ store }, { id }) {
    if (!(await removeReport(store, id))) throw new Failure("not_found", "no_report");
    return { success: true as const };
  },

  async takeDown(ctx, { share }) {
    const takenDown = await takeDownShare(ctx.store, share, ctx.clock.now());
    if (!takenDown) throw shareNotFound();
    await removeListing(ctx, takenDown);
    return { success: true as const };
  },

  explore: (ctx, input) => exploreShares(ctx, input),

  duplicatePage: (ctx, { id, copyId }) => duplicateContent(ctx, "page", id, copyId),

  async duplicateComponent(ctx, { type, id, copyId }) {
    const { components } = await duplicateContent(ctx, type, id, copyId);
    const [component] = components;
    if (!component) throw shareNotFound();
    return { component };
  },
};

/** Updates the title and emoji shown in lists when somebody opens the share. */
async function refreshListing(ctx: Ctx, share: ShareDoc, header: Pick<ShareDoc, "title" | "emoji">): Promise<void> {
  const updated = await saveShareHeader(ctx.store, share._id, header);
  if (updated) await updateListing(ctx, updated);
}

/** The signed-in user, if any: public content is shown to everyone. */
async function findCallerId(ctx: Ctx): Promise<string | undefined> {
  const authorization = ctx.header("authorization");
  if (authorization === undefined) return undefined;
  return (await authenticate(ctx, authorization).catch(() => undefined))?.userId;
}

/** Copies the caller's own content or shared content; anything else counts as missing. */
async function duplicateContent(ctx: UserCtx, type: ShareType, id: string, copyId = ulid(ctx.clock.now())) {
  const { own, store, clock } = ctx;
  const ownTarget = await findTarget(own, type, id);
  const share = ownTarget ? undefined : await findShareOf(store, type, id);
  const target = ownTarget ?? (share && (await findShared(store, share)));
  if (!target) throw shareNotFound();
  const components = share ? withoutOutsideReferences(target.components, share.targetId) : target.components;
  const from = share ? ownedBy(store, share.ownerId) : own;
  const { title, emoji } = target;
  return savePageCopy({ from, ctx, copyId, title, emoji, components, now: clock.now() });
}

async function openSharedFile({ store, blobs }: Ctx, share: ShareDoc, fileId: string): Promise<FileAnswer> {
  const head = await findSharedHead(store, share);
  const isShared = head !== undefined && (await isFileShared(store, share, head.version, fileId));
  const file = isShared ? await findFile(ownedBy(store, share.ownerId), fileId) : undefined;
  if (!file) throw new Failure("not_found", "no_file");
  return createFileAnswer(blobs, file);
}
