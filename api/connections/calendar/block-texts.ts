import type { StudyBlock } from "#shared/connections/study-blocks.ts";
import { calendarEvents as german } from "#shared/messages/de/account/calendar-events.ts";
import { calendarEvents as english } from "#shared/messages/en/account/calendar-events.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { getPublicUrl, type Settings } from "#api/settings.ts";
import type { Own } from "#api/store/owned-store.ts";
import { getPreferences } from "#api/user/service.ts";

/** The texts for study blocks in a calendar, in the student's language. */
export async function readBlockTexts(own: Own, settings: Settings) {
  const { appearance } = await getPreferences(own);
  const texts: Readonly<Record<keyof typeof english, string>> = appearance.language === "de" ? german : english;
  const url = `${getPublicUrl(settings)}/home`;
  return {
    name: texts.name,
    url,
    description: interpolate(texts.description, { link: url }),
    summaryOf({ cards }: StudyBlock): string {
      if (cards === 0) return texts.exam;
      return interpolate(cards === 1 ? texts.card : texts.cards, { count: cards });
    },
  };
}
