import type { Language } from "#shared/messages/language.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { preferences } from "./store.ts";

const LANGUAGES: readonly Language[] = ["en", "de"];

/** Accounts by the language that they chose; those that follow their browser are not counted. */
export async function countLanguages(store: DocumentStore): Promise<ReadonlyMap<string, number>> {
  const counts = await Promise.all(
    LANGUAGES.map((language) => store.collection(preferences).count({ "value.appearance.language": language })),
  );
  return new Map(LANGUAGES.map((language, index) => [language, counts[index] ?? 0]));
}
