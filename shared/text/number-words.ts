const ENGLISH =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty";
const GERMAN = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf";

/** The English names of 0 to 20; the index of each name is its value. */
export const ENGLISH_NUMBERS: readonly string[] = ENGLISH.split(" ");
/** The German names of 0 to 12; the index of each name is its value. */
export const GERMAN_NUMBERS: readonly string[] = GERMAN.split(" ");

/** A map from name to value, for the values `low` to `high`. */
export const numbersByName = (names: readonly string[], low: number, high: number): ReadonlyMap<string, number> =>
  new Map(names.slice(low, high + 1).map((name, index) => [name, low + index]));
