import { useMemo } from "react";
import type { DueDeck } from "#shared/study/schema.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { type Exam, groupExams } from "./exams.ts";
import { usePlannedToday } from "./use-forecast.ts";

/** Renders nothing. Counts today's cards of the exam plans, for a screen that does not list the exams. */
export function CountPlans({ decks }: { decks: readonly DueDeck[] }) {
  const exams = useMemo(() => groupExams(decks), [decks]);
  return exams.map((exam) => <CountPlan key={exam.key} exam={exam} />);
}

function CountPlan({ exam }: { exam: Exam }) {
  usePlannedToday(exam, useNow());
  return null;
}
