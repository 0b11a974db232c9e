import type { GenerationOptions } from "#shared/flashcards/schema.ts";
import type { WrittenCardGate } from "#shared/cards/gates/gate-names.ts";
import type { EngineNotice, FormPreference } from "#shared/cards/schema.ts";
import type { Passage } from "#shared/pdf/schema.ts";

export interface ModelInfo {
  id: string;
  name: string;
  description: string;
}

/** A card proposed by an engine, before the gates; `quote` is copied from the passage. */
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
  /** What the engine could not do for this source. */
  | { type: "notice"; notice: EngineNotice }
  /** How many cards each gate rejected, at the end. */
  | { type: "gates"; rejected: Readonly<Partial<Record<WrittenCardGate, number>>> };

export interface CardRequest {
  passages: readonly Passage[];
  options: GenerationOptions;
  /** Cards already in the deck; they must not be generated again. */
  existing: readonly { question: string; answer: string }[];
  /** Which forms of cards the student tends to leave unchanged; a hosted model ignores it. */
  formPreference?: FormPreference;
  /** Cards of this generation from before a restart; a non-deterministic engine continues after them. */
  generatedCards?: readonly { question: string; answer: string }[];
  /** The `done` of the last stored progress event; a non-deterministic engine starts there. */
  startAt?: number;
  /** The owner, for the prompt log. */
  ownerId?: string;
  signal: AbortSignal;
}

/** A picture for a model. */
export interface ChatImage {
  type: "image/jpeg" | "image/png" | "image/webp";
  bytes: Uint8Array;
}

/** A tool call as a model wrote it: the arguments are unchecked text. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** One turn of a conversation with a model. */
export interface ChatTurn {
  role: "user" | "assistant";
  text: string;
  images?: readonly ChatImage[];
  /** Calls that the model made in this turn. */
  calls?: readonly ToolCall[];
  /** Results of the calls in the turn before. `text` contains them as well, for servers without tools. */
  results?: readonly { id: string; text: string }[];
}

/** A tool as a model sees it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
}

/** Tools for one turn of a conversation whose caller runs them. */
export interface OfferedTools {
  /** Replaces the system prompt if the server accepts tools. */
  system: string;
  tools: readonly ToolSpec[];
  maxArgumentChars: number;
  onCalls: (calls: readonly ToolCall[]) => void;
}

export interface ChatRequest {
  system: string;
  turns: readonly ChatTurn[];
  maxTokens: number;
  /** The owner, for the prompt log. */
  ownerId?: string;
  signal: AbortSignal;
  /** Called at the end of the answer; false if it was cut at its length limit. */
  onEnd?: (isWhole: boolean) => void;
  /** Called with what the model thinks before it answers, if the server reports it. */
  onThought?: (text: string) => void;
  /** Called if the server refuses pictures and the model answers without them. */
  onImagesRefused?: () => void;
  /** Not offered to a server that refuses them. */
  offered?: OfferedTools;
}

/** A tool that a model may call; create it with `createTool`. */
export interface Tool extends ToolSpec {
  /** Runs the tool; returns false if the arguments do not match the schema. */
  run(rawArguments: unknown, signal: AbortSignal): Promise<boolean>;
}

export interface ToolRequest {
  system: string;
  /** Only the student's own words, because text from a file, a page or a model could inject a tool call. */
  user: string;
  tools: readonly Tool[];
  /** Maximum number of calls to run. */
  maxCalls: number;
  ownerId: string;
  signal: AbortSignal;
}

/** One model or engine. Its cards have passed the gates. */
export interface Model {
  readonly info: ModelInfo;
  /** Called as soon as a request is expected, while its sources are still being read. */
  prepare?(): void;
  generateCards(request: CardRequest): AsyncGenerator<CardEvent>;
  /**
   * Streams the next turn of a conversation, unchecked. Throws `model_unavailable`, possibly after it began. Undefined
   * for engines that cannot chat.
   */
  chat?(request: ChatRequest): AsyncGenerator<string>;
  /**
   * Lets the model choose tools, runs them and returns how many ran; ignores any text. Throws `model_unavailable`; a
   * server without tool support runs none.
   */
  useTools?(request: ToolRequest): Promise<number>;
}

/** Text embeddings: texts with similar meaning have similar vectors. */
export interface Embedder {
  /** Only vectors of the same embedder can be compared. */
  readonly name: string;
  /** One vector per text; undefined while the server is unavailable. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[] | undefined>;
}

/** The result of looking for an Ollama server. */
export interface LocalModels {
  server: "found" | "empty" | "absent" | "broken";
  address: string;
  models: ModelInfo[];
}

export interface Models {
  /** Looks for an Ollama server now, whatever is cached. */
  findLocal(): Promise<LocalModels>;
  /** Checks now whether the server at `AI_BASE_URL` answers; "none" if that is not set. */
  checkServer(): Promise<"ok" | "failing" | "none">;
  list(): Promise<{ models: ModelInfo[]; defaultModel: string }>;
  /** The named model, or the default if `id` is omitted; undefined if it does not exist. */
  choose(id?: string): Promise<Model | undefined>;
  /** Undefined if no server offers embeddings. */
  embedder(): Promise<Embedder | undefined>;
}
