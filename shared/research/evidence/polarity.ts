import { wordsOf } from "#shared/text/words.ts";

/** Opposed words: each row has the patterns for the two sides of one scale. */
const SCALES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:increas\w*|rise[sn]?|rising|rose|rais\w+|grow(?:s|n|ing)?|grew|gain\w*|more|higher|highest|larger|largest|greater|greatest|bigger|biggest|most|mehr|höher\w*|größer\w*|größte\w*|steig\w*|stieg\w*|erhöh\w*|zunimmt|zunehm\w*)$/u,
    /^(?:decreas\w*|fall(?:s|en|ing)?|fell|reduc\w+|lower\w*|lowest|declin\w+|drop(?:s|ped)?|shr[aiu]nk\w*|less|fewer|least|fewest|smaller|smallest|loss(?:es)?|lose[sd]?|weniger|niedriger\w*|kleiner\w*|kleinste\w*|sink\w*|sank\w*|fäll(?:t|en)|senk\w*|abnimmt|abnehm\w*|verringer\w*)$/u,
  ],
  [
    /^(?:fast(?:er|est)?|quick(?:er|est|ly)?|accelerat\w+|speed\w*|rapidly|schnell\w*|beschleunig\w*)$/u,
    /^(?:slow(?:s|ed|er|est|ly)?|decelerat\w+|langsam\w*|verlangsam\w*|bremst?)$/u,
  ],
  [/^(?:before|early|earlier|earliest|vor|früh\w*)$/u, /^(?:after|late|later|latest|nach|spät\w*)$/u],
  [/^(?:inside|within|innerhalb)$/u, /^(?:outside|außerhalb)$/u],
  [/^(?:north\w*|nörd\w*|nord\w*)$/u, /^(?:south\w*|süd\w*)$/u],
  [/^(?:east\w*|öst\w*|ost\w*)$/u, /^(?:west\w*)$/u],
  [/^(?:above|over|oberhalb)$/u, /^(?:below|beneath|under|unterhalb)$/u],
  [/^(?:left|links)$/u, /^(?:right|rechts)$/u],
  [/^(?:always|often|frequently|immer|oft|häufig)$/u, /^(?:rarely|seldom|selten)$/u],
  [/^(?:common|häufig\w*)$/u, /^(?:rare|uncommon|selten\w*)$/u],
  [
    /^(?:activat\w+|stimulat\w+|promot\w+|strengthen\w*|improv\w+|enhanc\w+|support\w*|helps?|allow\w*|enabl\w+|förder\w*|stärk\w*|verbesser\w*|aktivier\w*)$/u,
    /^(?:inhibit\w*|prevent\w*|block\w*|suppress\w*|weaken\w*|worsen\w*|impair\w*|damag\w+|hinder\w*|hemm\w*|schwäch\w*|verschlechter\w*|verhinder\w*)$/u,
  ],
  [
    /^(?:safe|harmless|sicher|harmlos|unschädlich)$/u,
    /^(?:dangerous|harmful|toxic|poisonous|gefährlich|schädlich|giftig)$/u,
  ],
  [/^(?:positive\w*|positiv\w*)$/u, /^(?:negative\w*|negativ\w*)$/u],
  [/^(?:true|wahr)$/u, /^(?:false|falsch)$/u],
  [/^accept\w*$/u, /^reject\w*$/u],
  [/^(?:success|succeed\w*)$/u, /^(?:failure|failed)$/u],
  [/^(?:hot|hotter|hottest|warm|warmer|warmest|warms)$/u, /^(?:cold|colder|coldest|cool|cooler|coolest|cools)$/u],
  [/^(?:strong|stronger|strongest)$/u, /^(?:weak|weaker|weakest)$/u],
  [/^(?:long|longer|longest|längste\w*)$/u, /^(?:short|shorter|shortest|kürzeste\w*)$/u],
  [/^(?:heavy|heavier|heaviest)$/u, /^(?:light|lighter|lightest)$/u],
  [/^(?:old|older|oldest)$/u, /^(?:young|younger|youngest)$/u],
  [/^(?:thick|thicker|thickest)$/u, /^(?:thin|thinner|thinnest)$/u],
  [/^attract\w*$/u, /^repel\w*$/u],
  [/^absorb\w*$/u, /^(?:emit\w*|releas\w+)$/u],
  [/^expand\w*$/u, /^contract(?:s|ed|ing)?$/u],
  [/^(?:alive|living)$/u, /^dead$/u],
];

/** Negative prefixes. "Unable" is not one of them, because it is a negation by itself. */
const PREFIXES = /^(?:un(?!able$)|in(?!capable$)|im|ir|il|non|dis|mis)/u;
/** The minimum number of letters after a prefix. */
const MIN_STEM = 4;

/** All negation words. "Without" and "lack" negate what follows them; the others negate the sentence. */
const NEGATION =
  /(?:^|[^\p{L}])(?:not|no|never|cannot|neither|nor|none|unable|incapable|fail(?:s|ed|ing)? to|without|lack(?:s|ed|ing)?|nicht|kein(?:e[nrms]?)?|niemals|nie|weder|ohne)(?!\p{L})|n['’]t(?!\p{L})/iu;
const NEGATED_THING =
  /(?<!\p{L})(?:without|lack(?:s|ed|ing)?|ohne)\s+(?:(?:an?|the|any|eine?[nmrs]?|de[nrm]|die|das|jede[nrs]?)\s+)?([\p{L}-]+)/giu;
/** Negation words that do not negate the sentence. */
const NO_DENIAL =
  /(?:^|[^\p{L}])(?:not only|not all|not every|not always|not necessarily|not just|lack of|nicht nur|nicht alle|nicht jede\w?|nicht immer|nicht unbedingt|no (?:more|less|fewer|later|earlier) than|whether or not|if not)(?!\p{L})/giu;
/** "Not all" contradicts "all". */
const NEGATED_UNIVERSAL =
  /(?:^|[^\p{L}])(?:not|nicht) (?:all|every|always|necessarily|alle|jede\w?|immer|unbedingt)(?!\p{L})/iu;
const UNIVERSAL = /(?:^|[^\p{L}])(?:all|every|each|always|alle|jede[rsn]?|immer)(?!\p{L})/iu;
const THAN = /(?:^|[^\p{L}])(?:than|als)(?!\p{L})/iu;
const CLAUSE_END = /[,;:]|(?:^|[^\p{L}])(?:because|since|although|while|weil|obwohl)(?!\p{L})/iu;

export interface Polarity {
  words: readonly string[];
  isDenied: boolean;
  /** What "without" and "lack" negate, if no other word negates the sentence. */
  negatedThings: readonly string[];
  isNegatedUniversal: boolean;
  isUniversal: boolean;
  /** The words on both sides of "than". */
  compared: readonly [readonly string[], readonly string[]] | null;
}

/** Whether a text contains a negation of any kind. A sentence and the quote that supports it agree in this. */
export const hasNegation = (text: string): boolean => text.search(NEGATION) !== -1;

export function polarityOf(text: string): Polarity {
  const denying = text.replaceAll(NO_DENIAL, " ");
  const things = [...denying.matchAll(NEGATED_THING)].map(([, thing = ""]) => thing.toLowerCase());
  const isThingNegated = !hasNegation(denying.replaceAll(NEGATED_THING, " "));
  const [, ...others] = text.split(THAN);
  const comparison = others.length === 1 ? text.split(THAN) : null;
  const isNegatedUniversal = NEGATED_UNIVERSAL.test(text);
  return {
    words: wordsOf(text),
    isDenied: hasNegation(denying),
    negatedThings: isThingNegated ? things : [],
    isNegatedUniversal,
    isUniversal: !isNegatedUniversal && UNIVERSAL.test(text),
    compared: comparison && [wordsOf(comparison[0] ?? ""), wordsOf((comparison[1] ?? "").split(CLAUSE_END)[0] ?? "")],
  };
}

/** Whether a text only adds that something is absent which the other does not name: "without oxygen". */
export const addsAbsence = ({ negatedThings }: Polarity, { words }: Polarity): boolean =>
  negatedThings.length > 0 && !negatedThings.some((thing) => words.includes(thing));

/** Whether exactly one of two texts is negated. */
export const isExactlyOneNegated = (first: Polarity, second: Polarity) =>
  first.isDenied !== second.isDenied ||
  (first.isNegatedUniversal && second.isUniversal) ||
  (first.isUniversal && second.isNegatedUniversal);

const signOnScale = (words: readonly string[], [up, down]: readonly [RegExp, RegExp]) => {
  const [ups, downs] = [up, down].map((pattern) => words.filter((word) => pattern.test(word)).length);
  return { count: (ups ?? 0) + (downs ?? 0), isNegative: (downs ?? 0) % 2 === 1 };
};

/** Whether a text has words of one side of a scale, and the other text only words of the opposite side. */
export const isOnOppositeSideOfScale = ({ words: first }: Polarity, { words: second }: Polarity): boolean =>
  SCALES.some(([up, down]) => {
    const sides = (words: readonly string[]) => [up, down].map((side) => words.some((word) => side.test(word)));
    const [[up1, down1], [up2, down2]] = [sides(first), sides(second)];
    return up1 !== down1 && up2 !== down2 && up1 !== up2;
  });

/** Pairs of a word in one text and the same word with a negative prefix in the other. */
function prefixedPairs({ words: first }: Polarity, { words: second }: Polarity): [string, string][] {
  const plain = new Set(second);
  return first.flatMap((word): [string, string][] => {
    const bare = word.replace(PREFIXES, "");
    return bare !== word && bare.length >= MIN_STEM && plain.has(bare) && !plain.has(word) && !first.includes(bare)
      ? [[word, bare]]
      : [];
  });
}

type Side = readonly string[];

/** Whether a word that only one side of a comparison has is only on the opposite side of the other comparison. */
const isOnOtherSide = ([side, otherSide]: readonly [Side, Side], [expected, unexpected]: readonly [Side, Side]) =>
  side.some((word) => !otherSide.includes(word) && expected.includes(word) && !unexpected.includes(word));

/** Whether two comparisons are reversed: "faster in water than in air" and "faster in air than in water". */
function isSwapped({ compared: first }: Polarity, { compared: second }: Polarity): boolean {
  if (!first || !second) return false;
  return (
    isOnOtherSide([first[0], first[1]], [second[1], second[0]]) &&
    isOnOtherSide([first[1], first[0]], [second[0], second[1]])
  );
}

/** The number of oppositions between two texts, and the opposed words. */
export function findOpposition(
  first: Polarity,
  second: Polarity,
): { oppositionCount: number; words: ReadonlySet<string> } {
  const words = new Set<string>();
  let oppositionCount = isSwapped(first, second) ? 1 : 0;
  for (const scale of SCALES) {
    const [a, b] = [signOnScale(first.words, scale), signOnScale(second.words, scale)];
    if (a.count === 0 || a.count !== b.count) continue;
    if (a.isNegative !== b.isNegative) oppositionCount += 1;
    for (const word of [...first.words, ...second.words])
      if (scale.some((pattern) => pattern.test(word))) words.add(word);
  }
  for (const pair of [...prefixedPairs(first, second), ...prefixedPairs(second, first)]) {
    oppositionCount += 1;
    for (const word of pair) words.add(word);
  }
  return { oppositionCount, words };
}
