import { z } from "zod";
import {
  cutText,
  isPendingExpired,
  MAX_PENDING_PASSAGE,
  MAX_PENDING_QUOTE,
  MAX_PENDING_SIDE,
  MAX_PENDING_TITLE,
  hasPageId,
  parsePendingList,
  PENDING_CARDS_KEY,
} from "#shared/marketing/pending-cards.ts";
import { logWarning } from "#webapp/app/log.ts";
import { readLocal, removeLocal, writeLocal } from "#webapp/app/browser/local-storage.ts";

/** Text of any length, cut to what a deck can store. */
const text = (max: number) => z.string().transform((value) => cutText(value, max));

const PendingSet = z
  .object({
    pageId: z.string().regex(/^[0-9A-Z]{26}$/),
    /** Missing in sets of earlier versions. */
    storedAt: z.number().default(Infinity),
    accountId: z.string().optional(),
    title: text(MAX_PENDING_TITLE),
    source: text(MAX_PENDING_TITLE).optional(),
    passages: z
      .array(z.object({ text: text(MAX_PENDING_PASSAGE), page: z.int().optional().catch(undefined) }))
      .default([]),
    cards: z
      .array(
        z.object({
          question: text(MAX_PENDING_SIDE),
          answer: text(MAX_PENDING_SIDE),
          quote: text(MAX_PENDING_QUOTE).optional().catch(undefined),
          passage: z.int().optional().catch(undefined),
        }),
      )
      .default([]),
    lines: z
      .array(z.object({ kind: z.enum(["heading", "task", "text"]), text: text(MAX_PENDING_PASSAGE) }))
      .default([]),
  })
  .refine(({ cards, lines }) => cards.length + lines.length > 0);
/** A set of cards, or a study plan, that a public page stored in this browser. */
export type PendingSet = z.infer<typeof PendingSet>;

interface StoredSets {
  sets: PendingSet[];
  /** Whether something was stored that cannot be read. */
  isDamaged: boolean;
}

/** The stored sets, without those that are too old. */
export function readPendingSets(): StoredSets {
  const stored = readLocal(PENDING_CARDS_KEY);
  if (stored === null) return { sets: [], isDamaged: false };
  const list = parsePendingList(stored);
  const parsed = (list ?? [])
    .filter((set) => !isPendingExpired(set, Date.now()))
    .map((set) => PendingSet.safeParse(set));
  for (const { error } of parsed) if (error) logWarning("The cards of a free tool could not be read", error);
  return {
    sets: parsed.flatMap(({ data }) => data ?? []),
    isDamaged: list === undefined || parsed.some(({ success }) => !success),
  };
}

/** Keeps the sets of these pages, in their stored form. Others that were stored meanwhile stay too. */
function keepStored(isStillNeeded: (set: unknown) => boolean): void {
  const remaining = (parsePendingList(readLocal(PENDING_CARDS_KEY) ?? "") ?? []).filter((set) => isStillNeeded(set));
  if (remaining.length === 0) removeLocal(PENDING_CARDS_KEY);
  else writeLocal(PENDING_CARDS_KEY, JSON.stringify(remaining));
}

export const removePendingSet = (pageId: string): void => keepStored((set) => !hasPageId(set, pageId));

/** Removes what is too old or cannot be read. */
export const removeUnusableSets = (): void =>
  keepStored((set) => !isPendingExpired(set, Date.now()) && PendingSet.safeParse(set).success);
