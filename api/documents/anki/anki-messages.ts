/** A card read from a package in a child process. Times are epoch ms. */
export interface AnkiCard {
  /** Stable across exports: the note's guid and the card's ordinal. */
  key: string;
  deck: string;
  question: string;
  answer: string;
  tags: string[];
  isSuspended: boolean;
  cloze?: { text: string; index: number };
  /** The image's name in the package and its hidden regions, as fractions of its width and height. */
  occlusion?: {
    image: string;
    regions: { id: string; x: number; y: number; w: number; h: number; label: string }[];
    regionId: string;
    hidesAll: boolean;
  };
  reviews: { at: number; grade: 1 | 2 | 3 | 4; durationMs: number }[];
  memory: AnkiMemory | null;
}

/** A card's memory state: `stability` and `difficulty` if the other program used FSRS, otherwise `factor` (SM-2). */
export interface AnkiMemory {
  state: "learning" | "review" | "relearning";
  dueAt: number;
  intervalDays: number;
  reps: number;
  lapses: number;
  /** Ease factor; usually 2.5, 0 if there is none. */
  factor: number;
  stability: number | null;
  difficulty: number | null;
  lastReviewedAt: number | null;
}

export interface AnkiMedia {
  name: string;
  bytes: Uint8Array;
}

/** What could not be imported, and how often. */
export interface AnkiLoss {
  what: AnkiLossKind;
  count: number;
  /** Some of the names. */
  examples: string[];
}

export type AnkiLossKind =
  | "too_many_cards"
  | "empty_cards"
  | "missing_media"
  | "refused_media"
  | "scripts"
  | "shapes"
  | "notes_without_type"
  | "broken_text"
  | "long_text";

export type AnkiFault = "not_a_package" | "too_large" | "broken" | "too_new" | "timeout" | "crashed";

export type FromAnki =
  | { type: "media"; media: AnkiMedia }
  | { type: "cards"; cards: AnkiCard[]; done: number; total: number }
  | { type: "done"; losses: AnkiLoss[]; collectionFingerprint: string }
  | { type: "written"; bytes: Uint8Array }
  | { type: "failed"; fault: AnkiFault };

/** A card as written to a package. */
export interface OutgoingCard {
  key: string;
  question: string;
  answer: string;
  source: string;
  tags: string[];
  isSuspended: boolean;
  cloze: { text: string; index: number; group: string } | null;
  /** The image's name in the package, its hidden regions, and the number of the region that this card asks for. */
  occlusion: {
    image: string;
    regions: { number: number; x: number; y: number; w: number; h: number; label: string }[];
    number: number;
    hidesAll: boolean;
    group: string;
  } | null;
  reviews: { at: number; grade: 1 | 2 | 3 | 4; durationMs: number; intervalDays: number; isFirst: boolean }[];
  memory: (AnkiMemory & { stability: number; difficulty: number }) | null;
}

export interface OutgoingDeck {
  title: string;
  createdAt: number;
  desiredRetention: number;
  cards: OutgoingCard[];
}

/**
 * A package of decks to import (`apkg`), or a whole collection that replaces another (`colpkg`). Every version of Anki
 * reads the old form; the new one, which compresses each entry, needs 2.1.50 (2022) or later.
 */
export interface OutgoingPackage {
  kind: "apkg" | "colpkg";
  form: "old" | "new";
  now: number;
  decks: OutgoingDeck[];
  media: AnkiMedia[];
}

export type ToAnki = { type: "read"; path: string } | { type: "write"; package: OutgoingPackage };
