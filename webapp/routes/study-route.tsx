import { useSearch } from "@tanstack/react-router";
import { lazy, useEffect } from "react";
import { STUDY_MODES, type StudyMode } from "#webapp/study/study-mode.ts";
import { prefetchStudyModes, StudyScreen } from "#webapp/study/session/study-screen.tsx";

const importQuizView = () => import("#webapp/quiz/quiz-view.tsx");
const Quiz = lazy(async () => ({ default: (await importQuizView()).QuizView }));

/** Delay, so that the first card loads before the prefetch. */
const PREFETCH_DELAY_MS = 1500;

const parseMode = (value: unknown): StudyMode => STUDY_MODES.find((mode) => mode === value) ?? "learn";

/** The study mode comes from the address; unknown modes mean "learn". */
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
  return <StudyScreen mode={parseMode(search["mode"])} Quiz={Quiz} />;
}
