import { randomBytes } from "node:crypto";
import { Failure } from "#shared/contract/failure.ts";
import type { Licence, Share, ShareType, Topic, Visibility } from "#shared/sharing/schema.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findTargetHead } from "./shared-content.ts";
import { shareKey, sharesOf, type ShareDoc } from "./store.ts";

interface ShareInput {
  type: ShareType;
  id: string;
  visibility: Visibility;
  topic: Topic;
  description: string;
  licence: Licence;
  attribution: string;
}

const unlistedOnlyFailure = () => new Failure("forbidden", "website_unlisted_only");
const takenDownFailure = () => new Failure("forbidden", "taken_down");

/** Shares an item or changes how it is shared; an existing link stays the same. */
export async function saveShare({ own, clock }: UserCtx, input: ShareInput): Promise<ShareDoc> {
  const { type, id, visibility, topic, description, licence, attribution } = input;
  if (type === "website_project" && visibility === "listed") throw unlistedOnlyFailure();
  const target = await findTargetHead(own, type, id);
  if (!target) throw new Failure("not_found", "no_item");
  const { title, emoji } = target;
  const key = shareKey(type, id);
  const set = { visibility, topic, description, licence, attribution, title, emoji };
  await sharesOf(own).insert({
    _id: randomBytes(16).toString("base64url"),
    key,
    type,
    targetId: id,
    ...set,
    views: 0,
    duplicates: 0,
    copies: [],
    createdAt: clock.now(),
    takenDownAt: null,
  });
  const share = await sharesOf(own).patch({ key, takenDownAt: null }, { set });
  if (!share) throw takenDownFailure();
  return share;
}

/** Shares that were taken down cannot be removed: sharing again would bring them back. */
export async function endShare(own: Own, key: string): Promise<ShareDoc | undefined> {
  const [share] = await sharesOf(own).find({ key, takenDownAt: null }, { limit: 1 });
  return share && (await sharesOf(own).remove({ _id: share._id, takenDownAt: null })) > 0 ? share : undefined;
}

export function presentShare(share: ShareDoc): Share {
  const { targetId, visibility, takenDownAt } = share;
  return { ...presentPublicFields(share), targetId, visibility, isTakenDown: takenDownAt !== null };
}

/** What anyone may know about a share. */
export function presentPublicFields(share: ShareDoc) {
  const { _id, type, title, description, topic, licence = "none", attribution = "" } = share;
  const { views, duplicates, createdAt } = share;
  return { _id, type, title, description, topic, licence, attribution, views, duplicates, createdAt };
}
