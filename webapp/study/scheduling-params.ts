import type { SchedulingInput } from "#shared/study/deck/cached-decks.ts";
import type { StudyParams } from "#shared/study/rules.ts";
import { studyParamsOf } from "#shared/study/scheduling.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { store } from "#webapp/app/store.ts";

/** Scheduling parameters: the deck's settings, with the student's preferences as defaults. */
export const getDeckStudyParams = (terms: Pick<SchedulingInput, "settings" | "weights">): StudyParams =>
  studyParamsOf(terms, store.get(preferencesAtom).flashcards);
