import { readSetting } from "#extension/app/settings-store.ts";

/** Parses a list of language tags, such as "de, en-GB". */
export const parseLanguageTags = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((tag) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag));

/** Preferred caption languages: those the student entered, else those of the browser. */
export async function readCaptionLanguages(): Promise<string[]> {
  const preferred = parseLanguageTags((await readSetting("captionLanguages")) ?? "");
  return preferred.length > 0 ? preferred : [...navigator.languages];
}
