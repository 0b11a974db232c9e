import { atom } from "jotai/vanilla";
import type { ComponentSummary, Page } from "#shared/pages/schema.ts";
import { client } from "./client.ts";
import { logTrouble } from "./log.ts";
import { store } from "./store.ts";

export type Content =
  | { state: "loading" }
  | { state: "failed" }
  | { state: "ready"; pages: readonly Page[]; components: readonly ComponentSummary[] };

const currentAtom = atom<Content>({ state: "loading" });
/** Everything the user has, as lists show it: no text and no cards. */
export const contentAtom = atom((get) => get(currentAtom));

/** The pages that are not deleted, the one opened last first. */
export const livePagesAtom = atom((get) => {
  const content = get(currentAtom);
  if (content.state !== "ready") return [];
  return content.pages.filter((page) => !page.archived).toSorted((a, b) => touchedAt(b) - touchedAt(a));
});

const touchedAt = (page: Page) => Math.max(page.lastOpened ?? 0, page.lastUpdated);

export async function loadContent(): Promise<void> {
  try {
    const { content } = await client.pages.getContent({});
    store.set(currentAtom, { state: "ready", pages: content.pages, components: content.components });
  } catch (error) {
    logTrouble("Failed to load content", error);
    if (store.get(currentAtom).state !== "ready") store.set(currentAtom, { state: "failed" });
  }
}
