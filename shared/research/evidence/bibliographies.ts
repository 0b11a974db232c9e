const HEADING =
  /^\P{L}*(?:references?(?: list)?|bibliography|works cited|literature(?: cited)?|further reading|external links|citations|literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis|angaben)?|weblinks|einzelnachweise|weiterführende literatur)\P{L}*$/iu;

/** "Miller, G. A., & Gick, M. (1956).", "Cognitive Psychology, 11(3), 287–307.", "doi:10.1080/9658". */
const ENTRY =
  /(?:^|\s)\p{Lu}[\p{L}’'-]+, (?:\p{Lu}\. ?-?){1,3}(?:[,&(]|and\b|$)|, \d{1,4} ?(?:\(\d[^)]{0,8}\))?[,:] ?\p{Lu}?\d+\s?[–-]\s?\p{Lu}?\d+\.?$|\bdoi:\s?10\.|\bRetrieved (?:\p{Lu}\p{L}+ \d{1,2}, \d{4},? )?from\b/u;
/** A text with more of them than this is a list of works. */
const MIN_ENTRIES = 2;
/** How many sentences an entry is split into, at most: authors, title, journal, publisher. */
const SENTENCES_PER_ENTRY = 4;

/** Whether a sentence is a part of an entry of a bibliography. */
export const isEntry = (sentence: string): boolean => ENTRY.test(sentence);

/** Whether a passage lists other works. Their titles look like sentences, and answer nothing. */
export function isBibliography(heading: string | null, sentences: () => readonly string[]): boolean {
  if (HEADING.test(heading ?? "")) return true;
  const all = sentences();
  const entries = all.filter(isEntry).length;
  return entries >= MIN_ENTRIES && entries * SENTENCES_PER_ENTRY >= all.length;
}
