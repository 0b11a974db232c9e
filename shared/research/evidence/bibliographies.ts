const LIST_HEADING =
  /^\P{L}*(?:reference list|bibliography|works cited|literature cited|further reading|external links|literatur(?:verzeichnis|angaben)|quellen(?:verzeichnis|angaben)|weblinks|einzelnachweise|weiterführende literatur)\P{L}*$/iu;
/** Headings of a list of works that can also be a subject: "References" of a programming language, "Literatur" of a time. */
const AMBIGUOUS_HEADING = /^\P{L}*(?:references?|literature|citations|literatur|quellen)\P{L}*$/iu;
/** Verbs of prose, which few titles of works have. */
const HAS_VERB =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|will|would|should|ist|sind|war|waren|hat|haben|hatten?|wird|werden|wurden?|kann|können|muss|müssen|gibt)(?!\p{L})/iu;

/** "Miller, G. A., & Gick, M. (1956).", "Cognitive Psychology, 11(3), 287–307.", "doi:10.1080/9658". */
const ENTRY =
  /(?:^|\s)\p{Lu}[\p{L}’'-]+, (?:\p{Lu}\. ?-?){1,3}(?:[,&(]|and\b|$)|, \d{1,4} ?(?:\(\d[^)]{0,8}\))?[,:] ?\p{Lu}?\d+\s?[–-]\s?\p{Lu}?\d+\.?$|\bdoi:\s?10\.|\bRetrieved (?:\p{Lu}\p{L}+ \d{1,2}, \d{4},? )?from\b/u;
/** A text with fewer of them is not a list of works, unless it has the heading of one. */
const MIN_ENTRIES = 2;
/** How many sentences an entry is split into, at most: authors, title, journal, publisher. */
const SENTENCES_PER_ENTRY = 4;

/** Whether a sentence is a part of an entry of a bibliography. */
export const isEntry = (sentence: string): boolean => ENTRY.test(sentence);

const isProse = (sentences: readonly string[]) =>
  sentences.filter((sentence) => HAS_VERB.test(sentence)).length * 2 >= sentences.length;

/** Whether a passage lists other works. Their titles look like sentences, and answer nothing. */
export function isBibliography(heading: string | null, sentences: () => readonly string[]): boolean {
  if (LIST_HEADING.test(heading ?? "")) return true;
  const all = sentences();
  const entries = all.filter(isEntry).length;
  if (AMBIGUOUS_HEADING.test(heading ?? "")) return entries > 0 || !isProse(all);
  return entries >= MIN_ENTRIES && entries * SENTENCES_PER_ENTRY >= all.length;
}
