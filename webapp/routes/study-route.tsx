import { useSearch } from "@tanstack/react-router";
import { lazy, useEffect } from "react";
import { STUDY_MODES, type StudyMode } from "#webapp/study/study-mode.ts";
import { fetchWays, StudyScreen } from "#webapp/study/study-screen.tsx";

const fetchQuiz = () => import("#webapp/quiz/quiz-view.tsx");
const Quiz = lazy(async () => ({ default: (await fetchQuiz()).QuizView }));

/** Long enough for the card that is asked to come first. */
const PATIENCE_MS = 1500;

const modeOf = (value: unknown): StudyMode => STUDY_MODES.find((mode) => mode === value) ?? "learn";

/** The address names the way to study; what is no name of one means learning. */
export function StudyRoute() {
  // The other ways come to this device with the first, so that they are there without a network.
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([fetchQuiz(), fetchWays()]), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const search: Record<string, unknown> = useSearch({ strict: false });
  return <StudyScreen mode={modeOf(search["mode"])} Quiz={Quiz} />;
}
