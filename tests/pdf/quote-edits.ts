/** The small differences between a quote and its source that copying, models and fonts cause. */
export const smallEdits = ["hyphen", "ligature", "case", "missing word", "none"] as const;
export type SmallEdit = (typeof smallEdits)[number];

const TURNING =
  /^(?:not|no|never|neither|nor|none|nothing|without|cannot|except|unless|hardly|rarely|few|little|\w+n['’]t)\W*$/i;

export function edit(text: string, kind: SmallEdit, random: () => number): string {
  const words = text.split(/\s+/);
  const pick = (fits: (word: string) => boolean) => {
    const places = [...words.keys()].filter((at) => fits(words[at] ?? ""));
    return places[Math.floor(random() * places.length)];
  };
  const change = (at: number | undefined, to: (word: string) => string[]) =>
    at === undefined ? text : words.toSpliced(at, 1, ...to(words[at] ?? "")).join(" ");
  switch (kind) {
    case "hyphen":
      return change(
        pick((word) => /^\p{L}{7,}$/u.test(word)),
        (word) => [`${word.slice(0, 4)}-`, word.slice(4)],
      );
    case "ligature":
      return text
        .replaceAll("ffi", "\uFB03")
        .replaceAll("fi", "\uFB01")
        .replaceAll("fl", "\uFB02")
        .replaceAll('"', "\u201C");
    case "case":
      return random() < 0.5 ? text.toUpperCase() : text.toLowerCase();
    case "missing word":
      return change(
        pick((word) => /^\p{L}+$/u.test(word) && !TURNING.test(word)),
        () => [],
      );
    case "none":
      return text;
    default:
      return kind satisfies never;
  }
}

/** Ways to make sentences that resemble the document's but are not in it. */
export const falsehoods = ["other document", "shuffled", "number", "negated", "swapped", "replaced"] as const;
export type Falsehood = (typeof falsehoods)[number];

type Falsifier = (words: string[], random: () => number) => string[] | undefined;

const isLong = (word: string | undefined) => /^\p{L}{5,}$/u.test(word ?? "");

function pickLong(words: readonly string[], random: () => number): number {
  const long = [...words.keys()].filter((at) => isLong(words[at]));
  return long[Math.floor(random() * long.length)] ?? -1;
}

const isSame = (a: string | undefined, b: string | undefined) => a?.toLowerCase() === b?.toLowerCase();
const substitutes = ["photosynthesis", "telegraph", "decreases", "marble", "nitrate"];

const falsifiers: Record<Falsehood, Falsifier> = {
  "other document": (words) => words,
  shuffled: (words, random) =>
    words
      .map((word) => ({ word, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ word }) => word),
  number(words) {
    const at = words.findIndex((word) => /\d/.test(word));
    const other = words[at]?.replace(/\d/, (digit) => String((Number(digit) + 3) % 10));
    return other === undefined ? undefined : words.with(at, other);
  },
  negated(words) {
    const verb = words.findIndex((word) => /^(?:is|are|was|were|can|may|has|have|will|does|do)$/.test(word));
    return verb < 0 ? undefined : words.toSpliced(verb + 1, 0, "not");
  },
  swapped(words, random) {
    const [one, other] = [pickLong(words, random), pickLong(words, random)];
    const [a = "", b = ""] = [words[one], words[other]];
    return isSame(a, b) ? undefined : words.with(one, b).with(other, a);
  },
  replaced(words, random) {
    const at = pickLong(words, random);
    const substitute = substitutes[Math.floor(random() * substitutes.length)] ?? "";
    return at < 0 || isSame(words[at], substitute) ? undefined : words.with(at, substitute);
  },
};

/** Changes a sentence so that its source does not contain it; undefined if this kind of change is impossible. */
export function falsify(text: string, kind: Falsehood, random: () => number): string | undefined {
  return falsifiers[kind](text.split(/\s+/), random)?.join(" ");
}
