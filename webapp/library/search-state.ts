import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import type { Found } from "#shared/library/contract.ts";
import { titleFit } from "#shared/library/matching.ts";
import type { Folder } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { client } from "#webapp/kit/client.ts";
import { logTrouble } from "#webapp/kit/log.ts";
import type { Place, PlaceKind } from "#webapp/kit/places.ts";
import { store } from "#webapp/kit/store.ts";

export type Passages =
  | { state: "idle" }
  | { state: "searching"; query: string }
  | { state: "offline" | "failed"; query: string }
  | { state: "found"; query: string; found: readonly Found[]; unread: number };

const heldAtom = atom<Passages>({ state: "idle" });
export const passagesAtom = atom((get) => get(heldAtom));

/** Quiet after a key before the server is asked. */
const PAUSE_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

/** Asks for passages once the keys rest; an answer that came too late is not shown. */
export function searchPassages(query: string): void {
  clearTimeout(timer);
  const words = query.trim();
  asked += 1;
  if (words.length < 2) return store.set(heldAtom, { state: "idle" });
  const mine = asked;
  store.set(heldAtom, { state: "searching", query: words });
  timer = setTimeout(() => void ask(words, mine), PAUSE_MS);
}

async function ask(query: string, mine: number): Promise<void> {
  const show = (passages: Passages) => {
    if (mine === asked) store.set(heldAtom, passages);
  };
  try {
    const { found, unread } = await client.library.search({ q: query.slice(0, 400) });
    show({ state: "found", query, found, unread });
  } catch (error) {
    if (!(error instanceof NoAnswer)) logTrouble("Search failed", error);
    show({ state: error instanceof NoAnswer ? "offline" : "failed", query });
  }
}

/** Something to go to by its name. */
export interface Named {
  id: string;
  kind: PlaceKind | "folder" | "screen";
  title: string;
  to: string;
}

/** Screens by their name, as commands. */
const commands = (): Named[] =>
  [
    ["home", t("shell.home")],
    ["content", t("shell.content")],
    ["settings", t("shell.settings")],
  ].map(([name = "", title = ""]) => ({
    id: `screen:${name}`,
    kind: "screen",
    title,
    to: screenPath(name as "home", {}),
  }));

const NAMED_SHOWN = 8;

/** What the browser knows by name, best fit first; without words, what was opened last. It needs no network. */
export function namedMatches(query: string, places: ReadonlyMap<string, Place>, folders: readonly Folder[]): Named[] {
  const all = [...places.values()];
  if (query.trim() === "")
    return all
      .toSorted((a, b) => b.openedAt - a.openedAt)
      .slice(0, NAMED_SHOWN)
      .map((place) => ({ ...place, title: place.title || t("common.untitled") }));
  const named: Named[] = [
    ...all,
    ...folders.map(({ _id, title }) => ({
      id: _id,
      kind: "folder" as const,
      title,
      to: screenPath("folder", { id: _id }),
    })),
    ...commands(),
  ];
  return named
    .map((one) => ({ one, score: titleFit(query, one.title) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.one.title.length - b.one.title.length)
    .slice(0, NAMED_SHOWN)
    .map(({ one: { id, kind, title, to } }) => ({ id, kind, title, to }));
}
