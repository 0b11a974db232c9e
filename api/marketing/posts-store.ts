import type { NewPost, PostFilter } from "#shared/admin/posts-contract.ts";
import { isInState, postConditions } from "#shared/admin/post-states.ts";
import { type CollectionSpec, type Doc, type DocumentStore, DuplicateValueError } from "#api/store/port.ts";

export interface PostDoc extends Doc {
  slug: string;
  topic: string;
  /** The UTC day on which it appears. */
  date: string;
  isPublished: boolean;
  summaries: NewPost["summaries"];
  /** Markdown by language. */
  bodies: NewPost["bodies"];
  /** Increases with every change. A change states the version that it is based on. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** A post without its text. */
export type PostSummary = Omit<PostDoc, "bodies">;
const SUMMARY_FIELDS = [
  "slug",
  "topic",
  "date",
  "isPublished",
  "summaries",
  "version",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof PostSummary)[];

const blogPosts: CollectionSpec<PostDoc> = {
  name: "blog_posts",
  shardKey: "_id",
  indexes: [{ fields: ["slug"], unique: true }, { fields: ["isPublished", "date"] }],
};

/** `_id` is a former slug of a post. */
interface RedirectDoc extends Doc {
  postId: string;
}

const blogRedirects: CollectionSpec<RedirectDoc> = {
  name: "blog_redirects",
  shardKey: "_id",
  indexes: [{ fields: ["postId"] }],
};

/** A post of a release that was copied into the store; `_id` is its slug. */
export interface SeedDoc extends Doc {
  at: number;
  /** Of each text that was copied. Missing in installations from before posts were updated. */
  hashes?: string[];
}

const blogSeeds: CollectionSpec<SeedDoc> = { name: "blog_seeds", shardKey: "_id", indexes: [] };

/** More posts than a blog has, because the pages list all of them. */
const MAX_LISTED = 1000;

/** Posts that everybody can read on this UTC day, the newest first. */
export const listPublished = (store: DocumentStore, today: string): Promise<PostSummary[]> =>
  store
    .collection(blogPosts)
    .find(
      { ...postConditions.published(today) },
      { order: [["date", "desc"]], limit: MAX_LISTED, fields: SUMMARY_FIELDS },
    );

/** The newest published posts with their text, for the feed. */
export const listNewest = (store: DocumentStore, today: string, limit: number): Promise<PostDoc[]> =>
  store.collection(blogPosts).find({ ...postConditions.published(today) }, { order: [["date", "desc"]], limit });

export async function findPublishedPost(
  store: DocumentStore,
  slug: string,
  today: string,
): Promise<PostDoc | undefined> {
  const post = await findPostBySlug(store, slug);
  return post && isInState("published", post, today) ? post : undefined;
}

/** The published post that had this slug before. */
export async function findPostByFormerSlug(
  store: DocumentStore,
  slug: string,
  today: string,
): Promise<PostDoc | undefined> {
  const redirect = await store.collection(blogRedirects).get(slug);
  const post = redirect && (await findPost(store, redirect.postId));
  return post && isInState("published", post, today) ? post : undefined;
}

/** The slugs that a post had before. */
export async function listFormerSlugs(store: DocumentStore, { _id: postId, slug }: PostDoc): Promise<string[]> {
  const redirects = await store.collection(blogRedirects).find({ postId }, { order: [["_id", "asc"]] });
  return redirects.map(({ _id }) => _id).filter((former) => former !== slug);
}

export const findPost = (store: DocumentStore, id: string) => store.collection(blogPosts).get(id);

interface PostsRequest extends PostFilter {
  /** The UTC day that separates scheduled posts from published ones. */
  today: string;
  after: string | undefined;
  limit: number;
}

export const listPostSummaries = (
  store: DocumentStore,
  { state, today, after, limit }: PostsRequest,
): Promise<PostSummary[]> =>
  store
    .collection(blogPosts)
    .find(
      { ...(state !== undefined && postConditions[state](today)), ...(after !== undefined && { _id: { lt: after } }) },
      { order: [["_id", "desc"]], limit, fields: SUMMARY_FIELDS },
    );

export const insertPost = (store: DocumentStore, post: PostDoc) => store.collection(blogPosts).insert(post);

export type PostChange = Omit<PostDoc, "_id" | "version" | "createdAt">;

/** Undefined if the post has another version; `taken` if another post has the slug. */
export async function changePost(
  store: DocumentStore,
  { _id, version, slug: formerSlug }: PostDoc,
  set: PostChange,
): Promise<PostDoc | "taken" | undefined> {
  try {
    const changed = await store.collection(blogPosts).patch({ _id, version }, { set, increment: { version: 1 } });
    if (changed && formerSlug !== set.slug)
      await store.collection(blogRedirects).upsert({ _id: formerSlug, postId: _id });
    return changed;
  } catch (error) {
    if (error instanceof DuplicateValueError) return "taken";
    throw error;
  }
}

/** Returns the number removed. */
export async function removePost(store: DocumentStore, id: string): Promise<number> {
  await store.collection(blogRedirects).remove({ postId: id });
  return store.collection(blogPosts).remove({ _id: id });
}

export const findSeed = (store: DocumentStore, slug: string) => store.collection(blogSeeds).get(slug);

export const saveSeed = (store: DocumentStore, seed: SeedDoc) => store.collection(blogSeeds).upsert(seed);

export async function findPostBySlug(store: DocumentStore, slug: string): Promise<PostDoc | undefined> {
  const [post] = await store.collection(blogPosts).find({ slug }, { limit: 1 });
  return post;
}
