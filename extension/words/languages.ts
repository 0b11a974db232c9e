import { readSetting } from "#extension/app/disk.ts";

/** Tags of languages in a list for people: "de, en-GB". */
export const readTags = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((tag) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag));

/** Languages in which captions are wanted, the dearest first: as the student said, else as the browser is set. */
export async function readLanguages(): Promise<string[]> {
  const said = readTags((await readSetting("captionLanguages")) ?? "");
  return said.length > 0 ? said : [...navigator.languages];
}
