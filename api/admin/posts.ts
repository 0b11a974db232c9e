import { ulid } from "ulid";
import type { AdminPost, NewPost, posts } from "#shared/admin/posts-contract.ts";
import { utcDay } from "#shared/user/days.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Handlers } from "#api/http/handler.ts";
import {
  changePost,
  findPost,
  insertPost,
  listFormerSlugs,
  listPostSummaries,
  type PostChange,
  type PostDoc,
  removePost,
} from "#api/marketing/posts-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { recordAction } from "./audit-log.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";

const noPost = () => new Failure("not_found", "no_post");
const addressTaken = () => new Failure("already_exists", "post_address_taken");

const present = async (store: DocumentStore, doc: PostDoc): Promise<AdminPost> => ({
  ...doc,
  formerSlugs: await listFormerSlugs(store, doc),
});

/** A post needs a title in at least one language, and has text only in languages with a title. */
function toChange({ slug, topic, date, isPublished, summaries, bodies }: NewPost, updatedAt: number): PostChange {
  const languages = (["en", "de"] as const).filter((language) => summaries[language] !== undefined);
  if (languages.length === 0) throw new Failure("bad_input", "post_without_title");
  return {
    slug,
    topic,
    date,
    isPublished,
    summaries,
    bodies: Object.fromEntries(languages.map((language) => [language, bodies[language] ?? ""])),
    updatedAt,
  };
}

export const postHandlers: Handlers<typeof posts> = {
  async listPosts({ store, clock }, { after, ...filter }) {
    const request = { ...filter, today: utcDay(clock.now()), after, limit: PAGE_SIZE + 1 };
    const { items, next } = toPage(await listPostSummaries(store, request), ({ _id }) => _id);
    return { posts: items, next };
  },

  async getPost({ store }, { id }) {
    const post = await findPost(store, id);
    if (!post) throw noPost();
    return { post: await present(store, post) };
  },

  async createPost(ctx, input) {
    const now = ctx.clock.now();
    const post: PostDoc = { ...toChange(input, now), _id: ulid(now), version: 1, createdAt: now };
    await recordAction(ctx, "create_post", post._id);
    if ((await insertPost(ctx.store, post)) === "duplicate") throw addressTaken();
    return { post: await present(ctx.store, post) };
  },

  async savePost(ctx, { id, version, ...input }) {
    const before = await findPost(ctx.store, id);
    if (!before) throw noPost();
    const change = toChange(input, ctx.clock.now());
    await recordAction(ctx, "save_post", id);
    const post = before.version === version ? await changePost(ctx.store, before, change) : undefined;
    if (post === "taken") throw addressTaken();
    if (!post) throw new Failure("version_conflict", "post_changed_elsewhere");
    return { post: await present(ctx.store, post) };
  },

  async deletePost(ctx, { id }) {
    await recordAction(ctx, "delete_post", id);
    if ((await removePost(ctx.store, id)) === 0) throw noPost();
    return { success: true };
  },
};
