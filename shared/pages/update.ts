import { DeckContent } from "#shared/flashcards/schema.ts";
import { loggedBase, logDeck, mergeDecks, type DeckLog } from "./deck-merge.ts";
import type { ComponentVersion } from "./schema.ts";

/** The author of the last write: two writes of one client are ordered by `seq`, whenever they arrive. */
export interface Writer {
  clientId: string;
  seq: number;
}

/** The stored content that an update is applied to. */
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
  /** The component's new content; null if it stays unchanged. */
  next: { content: Record<string, unknown>; deckLog: DeckLog | null } | null;
  /** The text to save in the history, and why; null for none. */
  kept: { whose: "held" | "incoming"; reason: ComponentVersion["reason"] } | null;
  conflict: boolean;
}

export const isSameContent = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Resolves a content update. In a conflict both texts are preserved: the later write is shown, the other goes into the
 * history. Decks are merged card by card.
 */
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
