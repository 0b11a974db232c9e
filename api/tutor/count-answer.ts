import type { Message } from "#shared/tutor/schema.ts";
import { recordStep } from "#api/store/figures/activity.ts";
import { recordFigure } from "#api/store/figures/figure-store.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import type { Own } from "#api/store/owned-store.ts";

export type EndedAnswer = Pick<Message, "status" | "parts" | "citations" | "mode"> & { model: string | null };

interface AnswerCounts {
  answerId: string;
  /** Citation markers that were shown, and those that no passage confirmed. */
  verified: number;
  dropped: number;
  passages: number;
  isEmpty: boolean;
}

const NOTHING_FOUND_PHRASES = new Set(["nothing", "no_sources"]);

const isNothingFound = ({ parts = [] }: EndedAnswer) =>
  parts.some((part) => part.type === "phrase" && NOTHING_FOUND_PHRASES.has(part.key));

/**
 * Counts an answer before it is stored as ended. If the run is repeated after a crash, the new count replaces the old
 * one.
 */
export async function countAnswer(
  own: Own,
  now: number,
  answer: EndedAnswer,
  { answerId, verified, dropped, passages, isEmpty }: AnswerCounts,
): Promise<void> {
  if (answer.mode === "plan") return;
  const isUncovered = isNothingFound(answer) || (passages === 0 && answer.citations.length === 0);
  const sums = {
    answers: 1,
    [answer.status]: 1,
    verified,
    dropped,
    covered: answer.citations.length > 0 ? 1 : 0,
    notInSources: isUncovered ? 1 : 0,
    empty: isEmpty ? 1 : 0,
  };
  const dims = { model: answer.model ?? "none", version: programVersion };
  await recordFigure(own, { figure: "answers", id: answerId, at: now, dims, sums });
  await recordStep(own, "answer");
}
