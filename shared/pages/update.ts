import { DeckContent } from "#shared/flashcards/schema.ts";
import { loggedBase, logDeck, mergeDecks, type DeckLog } from "./deck-merge.ts";
import type { ComponentVersion } from "./schema.ts";

/** Who wrote last: two writes of one client have an order of their own, whenever they arrive. */
export interface Writer {
  clientId: string;
  seq: number;
}

/** What a content update meets. */
export interface HeldContent {
  content: Record<string, unknown>;
  version: number;
  isDeleted: boolean;
  writtenBy: Writer | null;
  deckLog: DeckLog | null;
}

export interface ContentUpdate {
  content: Record<string, unknown>;
  baseVersion: number | undefined;
  writer: Writer;
}

export interface UpdateDecision {
  /** What the component holds from now on; null where it stays as it is. */
  next: { content: Record<string, unknown>; deckLog: DeckLog | null } | null;
  /** The text that goes into the history, and why; null where none does. */
  kept: { whose: "held" | "incoming"; reason: ComponentVersion["reason"] } | null;
  conflict: boolean;
}

export const isSameContent = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Both texts of a conflict are kept: the later write shows, the other goes into the history. Decks merge by card. */
export function decideUpdate(held: HeldContent, { content, baseVersion, writer }: ContentUpdate): UpdateDecision {
  if (held.isDeleted) return { next: null, kept: { whose: "incoming", reason: "deleted" }, conflict: true };
  if (isSameContent(held.content, content)) return { next: null, kept: null, conflict: false };
  const last = held.writtenBy;
  if (last && last.clientId === writer.clientId && writer.seq < last.seq)
    return { next: null, kept: { whose: "incoming", reason: "conflict" }, conflict: true };
  const deckLog = (deck: Record<string, unknown>) =>
    held.deckLog && logDeck(held.deckLog, deck as DeckContent, held.version + 1);
  if (baseVersion === held.version)
    return {
      next: { content, deckLog: deckLog(content) },
      kept: { whose: "held", reason: "replaced" },
      conflict: false,
    };
  if (!held.deckLog)
    return { next: { content, deckLog: null }, kept: { whose: "held", reason: "conflict" }, conflict: true };
  const base = loggedBase(held.deckLog, baseVersion);
  const merged = mergeDecks(base, DeckContent.parse(content), DeckContent.parse(held.content));
  const reason = merged.conflict ? "conflict" : "replaced";
  return {
    next: { content: merged.content, deckLog: deckLog(merged.content) },
    kept: { whose: "held", reason },
    conflict: merged.conflict,
  };
}
