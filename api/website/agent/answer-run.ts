import type { Deps } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { Counted } from "#api/user/service.ts";

export interface MessageInput {
  projectId: string;
  threadId: string;
  messageId: string;
  answerId: string;
  text: string;
  counted: Counted | null;
}

/** What writing an answer can do; parts are stored with the answer as they are. */
export interface AnswerRun {
  deps: Deps;
  own: Own;
  input: Omit<MessageInput, "counted">;
  signal: AbortSignal;
  /** Reports that the model is at work: the time that a message may take counts from its last word. */
  keepAlive: () => void;
  /** Adds words to the last part, or begins one. */
  write: (text: string, part?: "text" | "reasoning") => void;
  /** Reports a tool that has begun; call the result to report its end. */
  beginTool(name: string, args: Record<string, unknown>): (outcome: ToolOutcome) => void;
}

export interface ToolOutcome {
  resultText: string;
  error?: string;
  errorLog?: string;
  result?: unknown;
}
