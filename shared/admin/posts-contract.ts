import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { PageCursor } from "./instance-contract.ts";

const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

const PostHead = z.object({
  title: z.string().trim().min(1).max(200),
  description: z.string().trim().max(300),
  /** The topic as readers see it. */
  topicName: z.string().trim().min(1).max(60),
});
export type PostHead = z.infer<typeof PostHead>;

const Body = z.string().max(200_000);

const PostFields = z.object({
  /** The last part of its address. */
  slug: Slug,
  topic: Slug,
  /** The UTC day on which it appears. */
  date: z.iso.date(),
  isPublished: z.boolean(),
  summaries: z.object({ en: PostHead.optional(), de: PostHead.optional() }),
});

const ListedPost = PostFields.extend({
  _id: z.string(),
  version: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type ListedPost = z.infer<typeof ListedPost>;

/** Markdown; a language without a head has none. */
const Bodies = z.object({ bodies: z.object({ en: Body.optional(), de: Body.optional() }) });

const NewPost = PostFields.extend(Bodies.shape);
export type NewPost = z.infer<typeof NewPost>;

const AdminPost = ListedPost.extend({
  ...Bodies.shape,
  /** The last parts of its earlier addresses, which lead to the present one. */
  formerSlugs: z.array(Slug),
});
export type AdminPost = z.infer<typeof AdminPost>;

const PostId = z.object({ id: z.string().min(1).max(150) });
const Saved = z.object({ post: AdminPost });

export const POST_STATES = ["draft", "scheduled", "published"] as const;
export const PostFilter = z.object({ state: z.enum(POST_STATES).optional() });
export type PostFilter = z.infer<typeof PostFilter>;

export const posts = {
  listPosts: json({
    method: "GET",
    path: "/v1/admin/posts",
    access: "admin",
    summary: "Posts of the blog with drafts, the newest first, without their text",
    input: PostFilter.extend(PageCursor.shape),
    output: z.object({ posts: z.array(ListedPost), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
  getPost: json({
    method: "GET",
    path: "/v1/admin/posts/:id",
    access: "admin",
    summary: "A post with its text",
    input: PostId,
    output: Saved,
    fails: ["not_found"],
  }),
  createPost: json({
    method: "POST",
    path: "/v1/admin/posts",
    access: "admin",
    summary: "Write a post, as a draft or to appear on its day",
    input: NewPost,
    output: Saved,
    fails: ["bad_input", "already_exists"],
  }),
  savePost: json({
    method: "PUT",
    path: "/v1/admin/posts/:id",
    access: "admin",
    summary: "Change a post; a new address leaves a redirect at the old one",
    /** `version` is the one that was changed. */
    input: NewPost.extend({ ...PostId.shape, version: z.int() }),
    output: Saved,
    fails: ["bad_input", "not_found", "already_exists", "version_conflict"],
  }),
  deletePost: json({
    method: "DELETE",
    path: "/v1/admin/posts/:id",
    access: "admin",
    summary: "Delete a post and the redirects to it",
    input: PostId,
    output: z.object({ success: z.literal(true) }),
    fails: ["not_found"],
  }),
};
