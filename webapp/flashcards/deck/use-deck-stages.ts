import { useAtomValue } from "jotai/react";
import { useEffect, useMemo, useState } from "react";
import { CARD_STAGES, groupByStage, type CardStage } from "#shared/study/buckets.ts";
import type { StudyParams } from "#shared/study/rules.ts";
import type { Schedules, StudyDay } from "#shared/study/session.ts";
import { studyParamsOf } from "#shared/study/scheduling.ts";
import { studiableCardIds, studyDayOf } from "#shared/study/today.ts";
import { logWarning } from "#webapp/app/log.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { loadDeck, type LoadedDeck } from "#webapp/study/load-deck.ts";
import { getStudyPort } from "#webapp/study/study-port.ts";
import type { OpenDeck } from "./deck-state.ts";

export interface DeckStages {
  /** The ids of the cards that can be studied, by stage. */
  byStage: Readonly<Record<CardStage, ReadonlySet<string>>>;
  stageOf: ReadonlyMap<string, CardStage>;
  schedules: Schedules;
  day: StudyDay;
  params: StudyParams;
}

/** The learning stages of an open deck's cards; undefined until their schedules are loaded. */
export function useDeckStages({ pageId, componentId, cards }: OpenDeck): DeckStages | undefined {
  const [loaded, setLoaded] = useState<LoadedDeck>();
  const { flashcards: studyPreferences } = useAtomValue(preferencesAtom);
  useEffect(() => {
    let isCurrent = true;
    loadDeck({ pageId, componentId }, getStudyPort()).then(
      (deck) => isCurrent && setLoaded(deck),
      (error: unknown) => logWarning("Failed to load the stages of a deck's cards", error),
    );
    return () => {
      isCurrent = false;
    };
  }, [pageId, componentId]);
  return useMemo(() => {
    if (!loaded) return undefined;
    const now = getStudyPort().now();
    const day = studyDayOf(now, loaded.allowance);
    const schedules = new Map(loaded.schedules.map((schedule) => [schedule.cardId, schedule]));
    const byStage = groupByStage(studiableCardIds({ cards }, now), schedules, day);
    const stageOf = new Map(CARD_STAGES.flatMap((stage) => [...byStage[stage]].map((id) => [id, stage] as const)));
    return { byStage, stageOf, schedules, day, params: studyParamsOf(loaded.terms, studyPreferences) };
  }, [loaded, cards, studyPreferences]);
}
