import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { StarterPage, starterPageId } from "#shared/sharing/starter.ts";
import { users } from "#api/http/authenticate.ts";
import type { Deps } from "#api/http/handler.ts";
import { createNotePage } from "#api/pages/create/create-note-page.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { updateListing } from "./listing.ts";
import { INSTALLATION_OWNER, shareKey, sharesOf } from "./store.ts";

type SeedDeps = Pick<Deps, "store" | "index" | "log" | "clock" | "settings">;

/** `new`: only installations that are still empty, or already have the collection, get it. */
async function isWanted({ store, settings }: SeedDeps, own: Own): Promise<boolean> {
  if (settings.STARTER_PAGES !== "new") return settings.STARTER_PAGES === "on";
  const [existingShares, accounts] = await Promise.all([
    sharesOf(own).find({}, { limit: 1 }),
    store.collection(users).find({}, { limit: 1 }),
  ]);
  return existingShares.length > 0 || accounts.length === 0;
}

/** Adds each starter page to Explore once. A page that was taken down is not added again. */
export async function seedStarter(deps: SeedDeps, webFolder: string): Promise<void> {
  const file = join(webFolder, ".site", "starter.json");
  if (!existsSync(file)) return;
  const own = ownedBy(deps.store, INSTALLATION_OWNER);
  if (!(await isWanted(deps, own))) return;
  const pages = z.array(StarterPage).parse(JSON.parse(readFileSync(file, "utf8")));
  // Explore shows the newest first, so earlier pages get later times.
  const now = deps.clock.now();
  for (const [position, page] of pages.entries())
    await seedPage(deps, own, page, now - position).catch((error: unknown) =>
      deps.log.error({ err: error, slug: page.slug }, "a page of the starter collection was not stored"),
    );
}

async function seedPage(deps: SeedDeps, own: Own, page: StarterPage, now: number): Promise<void> {
  const pageId = starterPageId(page.slug);
  if (await sharesOf(own).get(pageId)) return;
  const { title, emoji, topic, description, licence, attribution, components } = page;
  await createNotePage(own, { pageId, title, emoji, components, order: components.map(({ _id }) => _id), now });
  const share = {
    _id: pageId,
    key: shareKey("page", pageId),
    type: "page" as const,
    targetId: pageId,
    visibility: "listed" as const,
    topic,
    description,
    licence,
    attribution,
    title,
    emoji,
    views: 0,
    duplicates: 0,
    copies: [],
    createdAt: now,
    takenDownAt: null,
  };
  // Another process of the installation may have been faster.
  if ((await sharesOf(own).insert(share)) === "inserted") await updateListing(deps, { ...share, ownerId: own.ownerId });
}
