import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "#api/http/handler.ts";
import {
  changePost,
  findPostBySlug,
  findSeed,
  insertPost,
  type PostDoc,
  saveSeed,
  type SeedDoc,
} from "./posts-store.ts";

type SeedPost = Pick<PostDoc, "slug" | "topic" | "date" | "summaries" | "bodies">;
type SeedDeps = Pick<Deps, "store" | "clock">;

const ID_START = "00";

/** Sorts seed posts by day, and before every post that was written in this installation. */
const seedId = ({ date, slug }: SeedPost) => `${ID_START}${date}-${slug}`;

/** The hash of all that an administrator can change about a post. */
function hashPost({
  slug,
  topic,
  date,
  isPublished,
  summaries,
  bodies,
}: SeedPost & Pick<PostDoc, "isPublished">): string {
  const texts = (["en", "de"] as const).map((language) => {
    const { title, description, topicName } = summaries[language] ?? {};
    return [title, description, topicName, bodies[language]];
  });
  return createHash("sha256")
    .update(JSON.stringify([slug, topic, date, isPublished, texts]))
    .digest("hex");
}

/**
 * Copies each post of the build into the store once. A copy that nobody changed gets the text of a later build; one that was
 * changed or deleted is left as it is.
 */
export async function seedPosts(deps: SeedDeps, webFolder: string): Promise<void> {
  const file = join(webFolder, ".site", "seed-posts.json");
  if (!existsSync(file)) return;
  for (const seed of JSON.parse(readFileSync(file, "utf8")) as SeedPost[]) {
    const known = await findSeed(deps.store, seed.slug);
    await (known ? updatePost(deps, seed, known) : addPost(deps, seed));
  }
}

async function addPost({ store, clock }: SeedDeps, seed: SeedPost): Promise<void> {
  const createdAt = Date.parse(seed.date);
  const post = { ...seed, _id: seedId(seed), isPublished: true, version: 1, createdAt, updatedAt: createdAt };
  await insertPost(store, post);
  await saveSeed(store, { _id: seed.slug, at: clock.now(), hashes: [hashPost(post)] });
}

async function updatePost({ store, clock }: SeedDeps, seed: SeedPost, known: SeedDoc): Promise<void> {
  const post = await findPostBySlug(store, seed.slug);
  // An administrator may have written another post under the address of one that was deleted.
  if (!post?._id.startsWith(ID_START)) return;
  const [before, after] = [hashPost(post), hashPost({ ...seed, isPublished: true })];
  const isUnchanged = known.hashes?.includes(before) ?? post.version === 1;
  if (before === after || !isUnchanged) return;
  // First the hashes: if the server stops before the change, the next start makes it.
  await saveSeed(store, { ...known, hashes: [...new Set([...(known.hashes ?? []), before, after])] });
  await changePost(store, post, { ...seed, isPublished: true, updatedAt: clock.now() });
}
