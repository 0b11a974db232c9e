import type { AnswerRun } from "./answer-run.ts";

/** What the tools of one message can access: the files of its project, and nothing else. */
export interface ToolContext {
  run: AnswerRun;
  files: Map<string, string>;
  /** The files before the message. */
  startFiles: ReadonlyMap<string, string>;
  /** Characters of the reasoning of the model so far. */
  thoughtChars: number;
  /** Sources that the student chose for this site. */
  sourceIds: readonly string[];
  title: string;
  /** Failed edits by file: after two, the file may be written whole. */
  failedEdits: Map<string, number>;
  hasChanged: boolean;
  /** How often the site did not build and the model was shown the faults. */
  repairs: number;
  /** Whether the open preview shows a state that is not stored yet. */
  isDraftShown: boolean;
  /** How often each action was requested since the files last changed, by its JSON. */
  repeats: Map<string, number>;
}
