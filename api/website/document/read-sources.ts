import { createHash } from "node:crypto";
import type { SiteItem, SiteSource } from "#shared/website/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { formatMilliseconds } from "./format-time.ts";
import { citePassage, listSources, readSourcePassages, type Source, type SourceReader } from "#api/library/sources.ts";
import { findComponent } from "#api/pages/find-component.ts";
import type { IndexedPassage } from "#api/store/search/port.ts";
import type { Own } from "#api/store/owned-store.ts";

/** A source with its passages and cards. */
export interface LoadedSource {
  source: Source;
  passages: readonly IndexedPassage[];
  /** The cards of a deck; empty for every other source. */
  cards: readonly Flashcard[];
}

export async function listSiteSources(own: Own): Promise<SiteSource[]> {
  const sources = await listSources(own);
  return sources.map(({ id, kind, title }) => ({ id, kind, title }));
}

/** Reads the chosen sources, in the order in which they were chosen. */
export async function readSiteSources(reader: SourceReader, sourceIds: readonly string[]): Promise<LoadedSource[]> {
  const all = new Map((await listSources(reader.own)).map((source) => [source.id, source]));
  const chosen = [...new Set(sourceIds)].map((sourceId) => {
    const source = all.get(sourceId);
    if (!source) throw new Failure("not_found", "no_item");
    return source;
  });
  return Promise.all(
    chosen.map(async (source) => {
      const deck = source.kind === "deck" ? await findComponent(reader.own, source.componentId) : undefined;
      const cards = deck?.type === "flash_cards" ? deck.content.cards : [];
      return { source, cards, passages: await readSourcePassages(reader, source) };
    }),
  );
}

/** The same line of the same source has the same id, so that progress on a site is kept when the site is made again. */
export const itemId = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 16);

/** The label of a citation: a page, a time or the title. */
export function labelOf({ kind, title }: Source, { locator }: IndexedPassage): string {
  if (kind === "file" && locator.page !== undefined) return `p. ${locator.page}`;
  if (kind === "video" && locator.startMs !== undefined) return formatMilliseconds(locator.startMs);
  return title.length > 40 ? `${title.slice(0, 39)}…` : title;
}

/** A line of a site that comes from a source, with its citation. */
export function citeLine(
  source: Source,
  passage: IndexedPassage,
  quote: string,
): Pick<SiteItem, "id" | "citation" | "label" | "source"> {
  return {
    id: itemId(source.id, passage.id, quote),
    citation: citePassage(source, passage, quote),
    label: labelOf(source, passage),
    source: source.title.slice(0, 500),
  };
}
