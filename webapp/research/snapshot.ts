import type { ResearchSession } from "#shared/research/schema.ts";

type ResearchLoad =
  | { state: "idle" | "loading" | "loaded" | "offline" }
  | { state: "error"; status: number; message: string };

export interface ResearchSnapshot {
  load: ResearchLoad;
  session: ResearchSession | null;
  isSending: boolean;
  /** Messages before the research starts: a question, and what was asked back. */
  dialogue: readonly { role: "user" | "assistant"; text: string }[];
  /** Why a question was not researched, and its text for the composer. */
  refusal: { message: string; text: string } | null;
  isReconnecting: boolean;
  /** The copy that this browser saved is shown, because the server was not reached. */
  isOffline: boolean;
  /** Followed for twelve minutes; the run goes on without this tab. */
  tookTooLong: boolean;
}

export const emptySnapshot: ResearchSnapshot = {
  load: { state: "idle" },
  session: null,
  isSending: false,
  dialogue: [],
  refusal: null,
  isReconnecting: false,
  isOffline: false,
  tookTooLong: false,
};
