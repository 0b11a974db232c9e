/** What is read out of a package of cards, in a process of its own. Times are epoch ms. */
export interface AnkiCard {
  /** Stable from one export to the next: the note's own name and the card's number in it. */
  key: string;
  deck: string;
  question: string;
  answer: string;
  tags: string[];
  isSuspended: boolean;
  cloze?: { text: string; index: number };
  /** The picture's name in the package, and what is hidden on it; shares of its width and height. */
  occlusion?: {
    image: string;
    regions: { id: string; x: number; y: number; w: number; h: number; label: string }[];
    regionId: string;
    hidesAll: boolean;
  };
  reviews: { at: number; grade: 1 | 2 | 3 | 4; durationMs: number }[];
  memory: AnkiMemory | null;
}

/** A card's state; `stability` and `difficulty` where the other program kept them (FSRS), else `factor` (SM-2). */
export interface AnkiMemory {
  state: "learning" | "review" | "relearning";
  dueAt: number;
  intervalDays: number;
  reps: number;
  lapses: number;
  /** 2.5 is usual; 0 where there is none. */
  factor: number;
  stability: number | null;
  difficulty: number | null;
  lastReviewedAt: number | null;
}

export interface AnkiMedia {
  name: string;
  bytes: Uint8Array;
}

/** What could not come, and how often. */
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
  | { type: "read"; losses: AnkiLoss[]; collection: string }
  | { type: "written"; bytes: Uint8Array }
  | { type: "failed"; fault: AnkiFault };

/** A card as it goes into a package. */
export interface OutgoingCard {
  key: string;
  question: string;
  answer: string;
  source: string;
  tags: string[];
  isSuspended: boolean;
  cloze: { text: string; index: number; group: string } | null;
  /** The picture's name in the package, what is hidden on it, and which of the parts this card asks for. */
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
 * A package is decks to take in (`apkg`), or a collection that takes another's place (`colpkg`). The old form is read by
 * every version of Anki, the new one by 2.1.50 (2022) and later: each of its parts is packed by itself.
 */
export interface OutgoingPackage {
  kind: "apkg" | "colpkg";
  form: "old" | "new";
  now: number;
  decks: OutgoingDeck[];
  media: AnkiMedia[];
}

export type ToAnki = { type: "read"; path: string } | { type: "write"; package: OutgoingPackage };
