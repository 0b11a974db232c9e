import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "#api/http/handler.ts";
import { insertPost, isSeeded, markSeeded, type PostDoc } from "./posts-store.ts";

type SeedPost = Pick<PostDoc, "slug" | "topic" | "date" | "heads" | "bodies">;

/** Sorts seed posts by day, and before every post that was written in this installation. */
const seedId = ({ date, slug }: SeedPost) => `00${date}-${slug}`;

/** Copies each post of the build into the store once. A copy that was changed or deleted since is left as it is. */
export async function seedPosts({ store, clock }: Pick<Deps, "store" | "clock">, webFolder: string): Promise<void> {
  const file = join(webFolder, ".site", "seed-posts.json");
  if (!existsSync(file)) return;
  for (const seed of JSON.parse(readFileSync(file, "utf8")) as SeedPost[]) {
    if (await isSeeded(store, seed.slug)) continue;
    const createdAt = Date.parse(seed.date);
    const times = { createdAt, updatedAt: createdAt };
    await insertPost(store, { ...seed, _id: seedId(seed), isPublished: true, version: 1, ...times });
    await markSeeded(store, seed.slug, clock.now());
  }
}
