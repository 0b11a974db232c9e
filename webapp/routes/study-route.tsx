import { useSearch } from "@tanstack/react-router";
import { lazy } from "react";
import { STUDY_MODES, type StudyMode } from "#webapp/kit/study-mode.ts";
import { StudyScreen } from "#webapp/study/study-screen.tsx";

const Quiz = lazy(async () => ({ default: (await import("#webapp/quiz/quiz-view.tsx")).QuizView }));

const modeOf = (value: unknown): StudyMode => STUDY_MODES.find((mode) => mode === value) ?? "learn";

/** The address names the way to study; what is no name of one means learning. */
export function StudyRoute() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  return <StudyScreen mode={modeOf(search["mode"])} Quiz={Quiz} />;
}
