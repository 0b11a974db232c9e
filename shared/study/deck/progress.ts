/** Whether a student keeps up; "early" until enough predictions were tested. */
type StudyProgress = "early" | "behind" | "forgetting" | "on_track";

interface ProgressInput {
  /** Reviews that tested a prediction, and the share that was answered right. */
  tested: number;
  recall: number;
  /** The share that the scheduler aims at. */
  goal: number;
  due: number;
  /** Answers of an average study day; 0 without recent study days. */
  pace: number;
}

/** With fewer tested predictions, a share would say too little. */
export const MIN_TESTED = 5;
/** More due cards than this many study days of answers are a backlog. */
const BACKLOG_DAYS = 2;
/** With a few dozen answers, chance alone changes the recall by less than this. */
const RECALL_MARGIN = 0.1;

/** A backlog is reported first, because it causes most forgetting. */
export function judgeProgress({ tested, recall, goal, due, pace }: ProgressInput): StudyProgress {
  if (tested < MIN_TESTED) return "early";
  if (due > pace * BACKLOG_DAYS) return "behind";
  return recall < goal - RECALL_MARGIN ? "forgetting" : "on_track";
}

/** Answers of an average study day among the last `withinDays`. */
export function averagePace(days: readonly { ago: number; reviews: number }[], withinDays = 28): number {
  const recent = days.filter(({ ago, reviews }) => ago < withinDays && reviews > 0);
  return recent.length === 0 ? 0 : recent.reduce((sum, { reviews }) => sum + reviews, 0) / recent.length;
}
