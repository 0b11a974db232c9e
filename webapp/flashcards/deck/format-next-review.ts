import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { DeckStages } from "./use-deck-stages.ts";

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
const relative = new Intl.RelativeTimeFormat(documentLanguage(), { numeric: "auto" });

/** "New", "Due today" or "in 6 days"; empty for a card that is not studied. */
export function formatNextReview(cardId: string, { stageOf, schedules, day }: DeckStages): string {
  const stage = stageOf.get(cardId);
  if (stage === undefined) return "";
  if (stage === "due") return t("flashcards.due_today");
  if (stage !== "known") return t(`flashcards.stage_${stage}`);
  // A card that is due in the next study day is due in one day.
  const days = Math.floor(((schedules.get(cardId)?.dueAt ?? day.endsAt) - day.endsAt) / DAY_MS) + 1;
  return days < 2 * MONTH_DAYS ? relative.format(days, "day") : relative.format(Math.round(days / MONTH_DAYS), "month");
}
