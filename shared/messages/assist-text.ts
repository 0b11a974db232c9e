import { assist as german } from "./de/study/assist.ts";
import { assist as english } from "./en/study/assist.ts";
import { interpolate } from "./interpolate.ts";

type AssistTexts = Readonly<Record<keyof typeof english, string>>;
const textsByLanguage: Readonly<Record<string, AssistTexts>> = { en: english, de: german };

/** A text about cards in the reader's language; in English if that language has none. */
export const formatAssistText = (
  language: string,
  key: keyof typeof english,
  values: Readonly<Record<string, string | number>> = {},
): string => interpolate((textsByLanguage[language] ?? english)[key], values);
