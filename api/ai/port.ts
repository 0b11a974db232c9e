import type { GenerationOptions } from "#shared/flashcards/schema.ts";
import type { EngineNotice } from "#shared/engine/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface ModelInfo {
  id: string;
  name: string;
  description: string;
}

/** A card as an engine proposes it, before the gates; `quote` is the passage's own words. */
export interface ProposedCard {
  question: string;
  answer: string;
  quote: string;
  passageId: string;
  page?: number | undefined;
}

export type CardEvent =
  | { type: "card"; card: ProposedCard }
  | { type: "progress"; done: number; total: number; stage: string }
  /** What the engine could not do for this source, told rather than hidden. */
  | { type: "notice"; notice: EngineNotice };

export interface CardRequest {
  passages: readonly Passage[];
  options: GenerationOptions;
  /** Cards that the deck holds already: none of them again. */
  existing: readonly { question: string; answer: string }[];
  /** Cards of this same generation from before a restart; the engine that is not deterministic goes on after them. */
  made?: readonly { question: string; answer: string }[];
  /** The `done` of the last progress that was kept: such an engine begins there. */
  startAt?: number;
  /** Whose request it is, for the log of prompts. */
  ownerId?: string;
  signal: AbortSignal;
}

/** A picture as a model is shown it. */
export interface TalkImage {
  type: "image/jpeg" | "image/png" | "image/webp";
  bytes: Uint8Array;
}

/** One turn of a conversation, as a model is shown it. */
export interface TalkTurn {
  role: "user" | "assistant";
  text: string;
  images?: readonly TalkImage[];
}

export interface TalkRequest {
  system: string;
  turns: readonly TalkTurn[];
  maxTokens: number;
  /** Whose request it is, for the log of prompts. */
  ownerId?: string;
  signal: AbortSignal;
  /** Told once the answer is there: false where it was cut at its length. */
  ended?: (isWhole: boolean) => void;
  /** Told where the server takes no pictures, and the model answers without having seen them. */
  withoutImages?: () => void;
}

/** Something that a model may ask for. `makeTool` makes one of a form and a function. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of what it takes. */
  parameters: Record<string, unknown>;
  /** Runs it; false where what the model wrote is not of its form. */
  run(written: unknown, signal: AbortSignal): Promise<boolean>;
}

export interface ToolRequest {
  system: string;
  /** Words of the student alone: what a file, a page or a model says could ask for a tool. */
  user: string;
  tools: readonly Tool[];
  /** So many calls are run, and no more. */
  atMost: number;
  ownerId: string;
  signal: AbortSignal;
}

/** One engine behind "AI". What it yields has passed the gates. */
export interface Model {
  readonly info: ModelInfo;
  /** Called when a request is coming, while its sources are still being read. */
  prepare?(): void;
  generateCards(request: CardRequest): AsyncGenerator<CardEvent>;
  /**
   * What it says in a conversation, as it comes; checked by nobody yet. Fails with `model_unavailable`, also after it
   * began. Engines that cannot converse leave it out.
   */
  talk?(request: TalkRequest): AsyncGenerator<string>;
  /**
   * Lets it choose among tools, and runs what it chose: how many ran. Whatever else it says is not used. Fails with
   * `model_unavailable`; a server that knows no tools runs none.
   */
  useTools?(request: ToolRequest): Promise<number>;
}

/** Meanings of texts as numbers: texts that mean much the same lie close. */
export interface Embedder {
  /** Vectors of one name compare, those of two do not. */
  readonly name: string;
  /** One vector for each text; undefined where the server gives none now. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[] | undefined>;
}

export interface Models {
  list(): Promise<{ models: ModelInfo[]; defaultModel: string }>;
  /** The named model, the default one where `id` is left out; undefined where there is no such model. */
  choose(id?: string): Promise<Model | undefined>;
  /** Undefined where no server offers embeddings. */
  embedder(): Promise<Embedder | undefined>;
}
