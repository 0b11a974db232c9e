import type { ResearchSession } from "#shared/research/schema.ts";

type ResearchLoad =
  | { state: "idle" | "loading" | "loaded" | "offline" }
  | { state: "error"; status: number; message: string };

export interface ResearchSnapshot {
  load: ResearchLoad;
  session: ResearchSession | null;
  isSending: boolean;
  /** The messages before the research starts: the question, and questions that clarify it. */
  dialogue: readonly { role: "user" | "assistant"; text: string }[];
  /** The reason why a question was not researched, and the question for the form. */
  refusal: { message: string; text: string } | null;
  isReconnecting: boolean;
  /** True if the server was unreachable and the copy saved in this browser is shown. */
  isOffline: boolean;
  /** True if this tab stopped following the run after twelve minutes; the run continues on the server. */
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
