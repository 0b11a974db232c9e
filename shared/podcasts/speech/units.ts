/** Singular and plural of a unit after a number. */
type Names = readonly [one: string, many: string];
const regular = (name: string): Names => [name, `${name}s`];

const PREFIXES: readonly (readonly [string, string])[] = [
  ["", ""],
  ["k", "kilo"],
  ["M", "mega"],
  ["G", "giga"],
  ["T", "tera"],
  ["m", "milli"],
  ["µ", "micro"],
  ["μ", "micro"],
  ["n", "nano"],
  ["p", "pico"],
];
const PREFIXED: Readonly<Record<string, Names>> = {
  g: regular("gram"),
  L: regular("litre"),
  l: regular("litre"),
  s: regular("second"),
  Hz: ["hertz", "hertz"],
  V: regular("volt"),
  A: regular("ampere"),
  W: regular("watt"),
  Wh: regular("watt hour"),
  J: regular("joule"),
  Pa: regular("pascal"),
  mol: regular("mole"),
  eV: regular("electron volt"),
  cal: regular("calorie"),
  Da: regular("dalton"),
  T: ["tesla", "tesla"],
  F: regular("farad"),
  Ω: regular("ohm"),
  bp: regular("base pair"),
  N: regular("newton"),
  Bq: regular("becquerel"),
  Gy: regular("gray"),
  Sv: regular("sievert"),
  B: regular("byte"),
  bit: regular("bit"),
  m: regular("metre"),
};
const SINGLE: Readonly<Record<string, Names>> = {
  cm: regular("centimetre"),
  dm: regular("decimetre"),
  cL: regular("centilitre"),
  cl: regular("centilitre"),
  dL: regular("decilitre"),
  dl: regular("decilitre"),
  hPa: regular("hectopascal"),
  ha: regular("hectare"),
  Å: regular("angstrom"),
  min: regular("minute"),
  h: regular("hour"),
  hr: regular("hour"),
  hrs: regular("hour"),
  d: regular("day"),
  day: regular("day"),
  week: regular("week"),
  month: regular("month"),
  year: regular("year"),
  hour: regular("hour"),
  minute: regular("minute"),
  second: regular("second"),
  person: ["person", "people"],
  yr: regular("year"),
  kb: regular("kilobase"),
  Mb: regular("megabase"),
  t: regular("tonne"),
  ft: ["foot", "feet"],
  mi: regular("mile"),
  lb: regular("pound"),
  lbs: regular("pound"),
  oz: regular("ounce"),
  mph: ["mile per hour", "miles per hour"],
  atm: regular("atmosphere"),
  bar: ["bar", "bar"],
  mmHg: ["millimetre of mercury", "millimetres of mercury"],
  dB: regular("decibel"),
  rpm: ["revolution per minute", "revolutions per minute"],
  ppm: ["part per million", "parts per million"],
  ppb: ["part per billion", "parts per billion"],
  K: regular("kelvin"),
  M: ["molar", "molar"],
  mM: ["millimolar", "millimolar"],
  µM: ["micromolar", "micromolar"],
  nM: ["nanomolar", "nanomolar"],
  "°C": ["degree Celsius", "degrees Celsius"],
  "°F": ["degree Fahrenheit", "degrees Fahrenheit"],
  "°": regular("degree"),
  "%": ["percent", "percent"],
  "‰": ["per mille", "per mille"],
};

const names = new Map<string, Names>(Object.entries(SINGLE));
for (const [symbol, [one, many]] of Object.entries(PREFIXED))
  for (const [prefix, word] of PREFIXES)
    if (!names.has(prefix + symbol) && prefix + symbol !== "B") names.set(prefix + symbol, [word + one, word + many]);

const POWERS: Readonly<Record<string, string>> = { "2": "square ", "²": "square ", "3": "cubic ", "³": "cubic " };

function nameOf(symbol: string, isPlural: boolean): string | undefined {
  const exact = names.get(symbol);
  if (exact) return exact[isPlural ? 1 : 0];
  const power = POWERS[symbol.at(-1) ?? ""];
  const base = power === undefined ? undefined : names.get(symbol.slice(0, -1).replace(/\^$/u, ""));
  return base && `${power}${base[isPlural ? 1 : 0]}`;
}

/** A unit in words, such as `m/s²` as "metres per second squared"; undefined if it is not a unit. */
export function unitInWords(symbol: string, isPlural: boolean): string | undefined {
  const [over = "", under, ...more] = symbol.split("/");
  const first = nameOf(over, isPlural);
  if (first === undefined || more.length > 0) return undefined;
  if (under === undefined) return first;
  const squared = /^(s)(?:²|\^?2)$/u.exec(under);
  const second = squared ? `${nameOf(squared[1] ?? "", false)} squared` : nameOf(under, false);
  return second === undefined ? undefined : `${first} per ${second}`;
}
