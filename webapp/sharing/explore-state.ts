import { atom } from "jotai/vanilla";
import { documentLanguage } from "#shared/messages/language.ts";
import type { ExploreItem, Topic } from "#shared/sharing/schema.ts";
import { client } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";

export interface ExploreQuery {
  q: string;
  topic: Topic | undefined;
}

export interface ExploreResult {
  items: readonly ExploreItem[];
  more: boolean;
  next: number | null;
}

const topicsStateAtom = atom<readonly Topic[]>([]);
/** The topics that have items, from the latest response. They stay visible while another topic loads. */
export const topicsAtom = atom((get) => get(topicsStateAtom));

/** The first items. With `loaded`, the loaded items and the next ones. */
export async function loadExplore({ q, topic }: ExploreQuery, loaded?: ExploreResult): Promise<ExploreResult> {
  const before = loaded?.next ?? undefined;
  const { items, more, next, topics } = await client.sharing.explore({
    q,
    ...(topic && { topic }),
    language: documentLanguage().slice(0, 2),
    ...(before !== undefined && { before }),
  });
  if (before === undefined) store.set(topicsStateAtom, topics);
  return { items: [...(loaded?.items ?? []), ...items], more, next };
}
