import { z } from "zod";
import { ReasonRef, reasonFields } from "#shared/messages/schema.ts";
import { EngineNotice } from "#shared/engine/schema.ts";

export const Density = z.enum(["LOW", "MEDIUM", "HIGH", "VERY_HIGH", "AUTO"]);
export type Density = z.infer<typeof Density>;

const fraction = z.number().min(0).max(1);

/** A rectangle over an image; all four are shares of its width or height, from the top left. */
export const Region = z.object({
  id: z.string().min(1).max(64),
  x: fraction,
  y: fraction,
  w: fraction,
  h: fraction,
  /** What stands there: the answer of the card that hides it. */
  label: z.string().max(500),
});
export type Region = z.infer<typeof Region>;

/** "cloze" has blanks, "occlusion" an image with a hidden region; where nothing is said a card is question and answer. */
export const CardKind = z.enum(["qa", "cloze", "occlusion"]);
export type CardKind = z.infer<typeof CardKind>;

export const Flashcard = z.object({
  id: z.string().min(1).max(64),
  question: z.string().max(20_000),
  answer: z.string().max(20_000),
  questionImage: z.string().nullable().default(null),
  ai: z
    .object({ hint: z.string().nullable().default(null), hintGeneratedAt: z.number().nullable().default(null) })
    .optional(),
  /** `pdf_citation:componentId:page[:quote]` and its kin; the quote is percent-encoded. */
  citation: z.string().max(8000).nullable().default(null),
  /** Question and answer are filled in for every kind, so that each can be read, printed and exported as they stand. */
  kind: CardKind.optional(),
  /**
   * The whole text with every hidden part marked `{{c1::hidden}}` or `{{c1::hidden::hint}}`; this card asks for the
   * parts numbered `index`. Parts of other numbers are shown, unless `isOverlapping`: then those after it are hidden too,
   * without being asked for, as in a list that is said item by item.
   */
  cloze: z
    .object({ text: z.string().max(20_000), index: z.int().min(1).max(500), isOverlapping: z.boolean().optional() })
    .optional(),
  /** The regions on `questionImage`; this card asks for one of them. With `hidesAll` the others are covered as well. */
  occlusion: z
    .object({
      regions: z.array(Region).min(1).max(100),
      regionId: z.string().max(64),
      hidesAll: z.boolean().optional(),
    })
    .optional(),
  /** Asks another card of its group the other way round. */
  isReversed: z.boolean().optional(),
  /** Cards made from one text, one image or one pair share this: they are edited together and not shown one after the other. */
  groupId: z.string().max(64).optional(),
  tags: z.array(z.string().min(1).max(100)).max(50).optional(),
  /** Kept, but not asked. */
  isSuspended: z.boolean().optional(),
  /** Not asked before this moment, epoch ms: put aside for the day. */
  buriedUntil: z.number().optional(),
  answerImage: z.string().max(2000).nullable().optional(),
});
export type Flashcard = z.infer<typeof Flashcard>;

export const DEFAULT_DECK_TITLE = "Untitled Flashcards";
export const MAX_DECK_CARDS = 20_000;

export const DeckContent = z.object({
  title: z.string().max(500).default(DEFAULT_DECK_TITLE),
  cards: z.array(Flashcard).max(MAX_DECK_CARDS).default([]),
  minimized: z.boolean().default(false),
});
export type DeckContent = z.infer<typeof DeckContent>;

export const FileProcessed = z.object({
  source: z.string(),
  success: z.boolean(),
  error: z.string().nullable(),
  /** What `error` says, as reasons that screens translate, in order. */
  reasons: z.array(ReasonRef).optional(),
  /** The screen opens the plan modal for this one. */
  openPlanModal: z.boolean().default(false),
});

export type FileProcessed = z.infer<typeof FileProcessed>;

export const GenerationResult = z.object({
  cards: z.array(Flashcard),
  totalCards: z.int(),
  filesProcessed: z.array(FileProcessed),
  /** What the engine could not do for these sources. */
  notices: z.array(EngineNotice).default([]),
});
export type GenerationResult = z.infer<typeof GenerationResult>;

export const GenerationOptions = z.object({
  density: Density.default("AUTO"),
  customInstructions: z.string().max(4000).optional(),
  language: z.string().max(60).optional(),
  /** A few cards more about one section or term of the sources. */
  focus: z.object({ kind: z.enum(["section", "term"]), label: z.string().min(1).max(200) }).optional(),
  /** What a term is called is also asked the other way round. */
  reversed: z.boolean().optional(),
  /** Chosen from the model list; the default engine where it is left out. */
  model: z.string().max(120).optional(),
  /** The deck that receives the cards as they come; without it they are only answered. */
  target: z.object({ pageId: z.string(), componentId: z.string() }).optional(),
  /** Made by the client: the same id twice starts one generation and follows it twice. */
  jobId: z.string().min(10).max(64).optional(),
});
export type GenerationOptions = z.infer<typeof GenerationOptions>;

/** A text as it is, or one that stands on a page, so that its cards can point there. */
export const TextSource = z.union([
  z.string().max(2_000_000),
  z.object({ text: z.string().max(2_000_000), pageId: z.string().max(64), componentId: z.string().max(64) }),
]);
export type TextSource = z.infer<typeof TextSource>;

/** `seq` counts from 1 within a generation ("started" is 0): a client that comes back asks for what follows the last it saw. */
export const GenerationEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), seq: z.int(), jobId: z.string() }),
  z.object({
    type: z.literal("card"),
    seq: z.int(),
    card: Flashcard,
    /** Version of the target deck that holds this card. */
    deckVersion: z.int().optional(),
  }),
  z.object({ type: z.literal("progress"), seq: z.int(), done: z.number(), total: z.number(), stage: z.string() }),
  z.object({ type: z.literal("result"), seq: z.int(), result: GenerationResult }),
  z.object({
    type: z.literal("error"),
    seq: z.int(),
    code: z.string(),
    message: z.string(),
    ...reasonFields,
    /** Why each source gave nothing. */
    data: z.object({ filesProcessed: z.array(FileProcessed) }).optional(),
  }),
]);
export type GenerationEvent = z.infer<typeof GenerationEvent>;

/** A source of a deck, as far as it can be asked about again. */
export const DeckSource = z.object({
  name: z.string(),
  kind: z.enum(["pdf", "video", "text"]),
  /** The file, the video, or the page's text; null for a text that stands nowhere. */
  componentId: z.string().nullable(),
  from: z.int().nullable(),
  to: z.int().nullable(),
});
export type DeckSource = z.infer<typeof DeckSource>;

export const GenerationStatus = z.object({
  jobId: z.string(),
  status: z.enum(["waiting", "running", "done", "failed", "cancelled"]),
  target: z.object({ pageId: z.string(), componentId: z.string() }).nullable(),
  cardCount: z.int(),
  createdAt: z.number(),
  /** How it ended, for who was away when it was told; null before that, and where it was stopped. */
  outcome: z
    .object({ message: z.string().nullable(), ...reasonFields, filesProcessed: z.array(FileProcessed) })
    .nullable(),
});
export type GenerationStatus = z.infer<typeof GenerationStatus>;
