import { setTimeout as pause } from "node:timers/promises";
import { starterPageId } from "#shared/sharing/starter.ts";
import type { TestUser } from "#tests/kit/api.ts";

const MAX_TRIES = 300;

/** Copies a chapter of the starter collection into an account; a new server may still be storing it. */
export async function copyStarterPage({ client }: Pick<TestUser, "client">, slug = "photosynthesis") {
  const id = starterPageId(slug);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { items } = await client.sharing.explore({});
    if (items.some(({ _id }) => _id === id)) return client.sharing.duplicatePage({ id });
    await pause(100);
  }
  throw new Error(`The server has no starter page ${slug}`);
}
