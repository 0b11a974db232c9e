/** Function words. Question words are included because they say nothing about a card's subject. */
const STOP_WORDS = new Set(
  (
    "a an the of in on at to for from by with without as is are was were be been being am and or but not no nor so than " +
    "then that this these those it its itself they them their themselves he him his she her we us our you your i me my " +
    "which who whom whose what when where why how do does did done doing can could may might must shall should will " +
    "would has have had having there here also such into onto about over under between among during through each other " +
    "another both either neither all any some many most more much few fewer less very same own only just per via if " +
    "because while whether though although however thus therefore hence called known term"
  ).split(" "),
);

const IRREGULAR_PLURALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    men: "man",
    women: "woman",
    children: "child",
    people: "person",
    feet: "foot",
    teeth: "tooth",
    mice: "mouse",
    lives: "life",
    leaves: "leaf",
    halves: "half",
    wolves: "wolf",
    criteria: "criterion",
    phenomena: "phenomenon",
    bacteria: "bacterium",
    mitochondria: "mitochondrion",
    media: "medium",
    data: "datum",
    strata: "stratum",
    spectra: "spectrum",
    curricula: "curriculum",
    memoranda: "memorandum",
    nuclei: "nucleus",
    stimuli: "stimulus",
    fungi: "fungus",
    loci: "locus",
    radii: "radius",
    foci: "focus",
    genera: "genus",
    matrices: "matrix",
    vertices: "vertex",
    indices: "index",
    appendices: "appendix",
  }),
);

/** The singular of a lower-case English noun, by rule. */
export function singular(word: string): string {
  return IRREGULAR_PLURALS.get(word) ?? regularSingular(word);
}

function regularSingular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  // "larvae", "stomata": Latin and Greek plurals.
  if (word.length > 4 && word.endsWith("ae")) return word.slice(0, -1);
  if (/...mata$/.test(word)) return word.slice(0, -2);
  if (word.length > 4 && /(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 5 && word.endsWith("yses")) return `${word.slice(0, -2)}is`;
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A crude stem that matches "regulates" with "regulation". */
export function stem(word: string): string {
  const noun = singular(word);
  if (noun.length <= 5) return noun.replace(/e$/, "");
  return noun.replace(/(?:ation|ing|ed|ly|al|ic)$/, "").replace(/e$/, "");
}

/** The words in lower case; a hyphen separates two words. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[-\u2010-\u2015]/g, " ");
  return plain.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)*/gu) ?? [];
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Stems of the content words in order, with repeats. */
export function contentStems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

/** A phrase as a key, ignoring case, number, hyphens and punctuation. */
export function phraseKey(text: string): string {
  return wordsOf(text).map(singular).join(" ");
}

/** "the nucleus" as "nucleus". */
export const bareName = (phrase: string): string => phrase.replace(/^(?:the|an?) /i, "");

/** Whether the text contains the phrase as whole words, ignoring case and number. */
export function containsPhrase(text: string, phrase: string): boolean {
  const key = phraseKey(phrase);
  return key !== "" && ` ${phraseKey(text)} `.includes(` ${key} `);
}
