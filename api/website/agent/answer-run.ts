import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { Counted } from "#api/user/service.ts";

export interface MessageInput {
  projectId: string;
  threadId: string;
  messageId: string;
  answerId: string;
  text: string;
  chargedUsage: Counted | null;
}

/** The input and the functions for writing an answer. Parts are stored with the answer unchanged. */
export interface AnswerRun {
  deps: Deps;
  own: Own;
  input: Omit<MessageInput, "chargedUsage">;
  signal: AbortSignal;
  /** Reports that the model is working. The time limit of a message restarts with every report. */
  keepAlive: () => void;
  /** Appends text to the last part, or begins a new part. */
  write: (text: string, part?: "text" | "reasoning") => void;
  /** Reports that a tool call has begun; call the returned function to report its end. */
  beginTool(name: string, args: Record<string, unknown>): (outcome: ToolOutcome) => void;
}

export interface ToolOutcome {
  resultText: string;
  error?: string;
  errorLog?: string;
  result?: unknown;
}
