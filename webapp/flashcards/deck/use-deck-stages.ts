import { useEffect, useMemo, useState } from "react";
import { groupByStage, type CardStage } from "#shared/study/buckets.ts";
import { studiableCardIds, studyDayOf } from "#shared/study/today.ts";
import { logWarning } from "#webapp/app/log.ts";
import { loadDeck, type LoadedDeck } from "#webapp/study/load-deck.ts";
import { getStudyPort } from "#webapp/study/study-port.ts";
import type { OpenDeck } from "./deck-state.ts";

export type DeckStages = Readonly<Record<CardStage, ReadonlySet<string>>>;

/** The cards of an open deck that may be studied, by stage; undefined until their schedules are known. */
export function useDeckStages({ pageId, componentId, cards }: OpenDeck): DeckStages | undefined {
  const [loaded, setLoaded] = useState<LoadedDeck>();
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
    const schedules = new Map(loaded.schedules.map((schedule) => [schedule.cardId, schedule]));
    return groupByStage(studiableCardIds({ cards }, now), schedules, studyDayOf(now, loaded.allowance));
  }, [loaded, cards]);
}
