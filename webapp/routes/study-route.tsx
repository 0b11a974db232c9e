import { useSearch } from "@tanstack/react-router";
import { lazy, useEffect, useMemo } from "react";
import { STUDY_MODES, type StudyMode } from "#webapp/study/study-mode.ts";
import { DONE_SEPARATOR } from "#webapp/study/session/use-next-deck.ts";
import { prefetchStudyModes, StudyScreen } from "#webapp/study/session/study-screen.tsx";

const importQuizView = () => import("#webapp/quiz/quiz-view.tsx");
const Quiz = lazy(async () => ({ default: (await importQuizView()).QuizView }));

/** The prefetch is delayed, so that the first card loads before it. */
const PREFETCH_DELAY_MS = 1500;

const parseMode = (value: unknown): StudyMode => STUDY_MODES.find((mode) => mode === value) ?? "learn";

/** The study screen in the mode that the address names. An unknown mode means "learn". */
export function StudyRoute() {
  // Prefetches the other modes, so that they work offline.
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.allSettled([importQuizView(), prefetchStudyModes()]),
      PREFETCH_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, []);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const all = search["all"];
  const done = useMemo(() => (typeof all === "string" ? all.split(DONE_SEPARATOR).filter(Boolean) : undefined), [all]);
  return (
    <StudyScreen
      mode={parseMode(search["mode"])}
      Quiz={Quiz}
      done={done}
      startsWithDue={done !== undefined || search["bucket"] === "due"}
    />
  );
}
