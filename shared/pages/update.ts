import { DeckContent } from "#shared/flashcards/schema.ts";
import { loggedBase, logDeck, mergeDecks, type DeckLog } from "./deck-merge.ts";
import type { ComponentVersion } from "./schema.ts";

/** The author of a write. Two writes of one client are ordered by `seq`, even if they arrive in another order. */
export interface WriteAuthor {
  clientId: string;
  seq: number;
}

/** The stored content that an update is applied to. */
export interface StoredContent {
  content: Record<string, unknown>;
  version: number;
  isDeleted: boolean;
  writtenBy: WriteAuthor | null;
  deckLog: DeckLog | null;
}

export interface ContentUpdate {
  content: Record<string, unknown>;
  baseVersion: number | undefined;
  writer: WriteAuthor;
}

export interface UpdateDecision {
  /** The component's new content; null if it stays unchanged. */
  next: { content: Record<string, unknown>; deckLog: DeckLog | null } | null;
  /** The text to save in the history, and why; null for none. */
  history: { side: "stored" | "incoming"; reason: ComponentVersion["reason"] } | null;
  conflict: boolean;
}

export const isSameContent = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Resolves a content update. In a conflict both texts are preserved: the later write is shown, and the other text goes
 * into the history. Decks are merged card by card.
 */
export function resolveUpdate(stored: StoredContent, { content, baseVersion, writer }: ContentUpdate): UpdateDecision {
  if (stored.isDeleted) return { next: null, history: { side: "incoming", reason: "deleted" }, conflict: true };
  if (isSameContent(stored.content, content)) return { next: null, history: null, conflict: false };
  const last = stored.writtenBy;
  if (last && last.clientId === writer.clientId && writer.seq < last.seq)
    return { next: null, history: { side: "incoming", reason: "conflict" }, conflict: true };
  const deckLog = (deck: Record<string, unknown>) =>
    stored.deckLog && logDeck(stored.deckLog, deck as DeckContent, stored.version + 1);
  if (baseVersion === stored.version)
    return {
      next: { content, deckLog: deckLog(content) },
      history: { side: "stored", reason: "replaced" },
      conflict: false,
    };
  if (!stored.deckLog)
    return { next: { content, deckLog: null }, history: { side: "stored", reason: "conflict" }, conflict: true };
  const base = loggedBase(stored.deckLog, baseVersion);
  const merged = mergeDecks(base, DeckContent.parse(content), DeckContent.parse(stored.content));
  const reason = merged.conflict ? "conflict" : "replaced";
  return {
    next: { content: merged.content, deckLog: deckLog(merged.content) },
    history: { side: "stored", reason },
    conflict: merged.conflict,
  };
}
