const ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  '"': "\u0308",
  "=": "\u0304",
  ".": "\u0307",
  c: "\u0327",
  v: "\u030C",
  u: "\u0306",
  H: "\u030B",
  r: "\u030A",
};
const LETTERS: Readonly<Record<string, string>> = {
  ss: "ß",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  o: "ø",
  O: "Ø",
  aa: "å",
  l: "ł",
  L: "Ł",
  i: "ı",
};

/** Characters that are written as commands: BibTeX counts braces even after a backslash. */
const COMMANDS: Readonly<Record<string, string>> = {
  "\\": "backslash",
  "~": "asciitilde",
  "^": "asciicircum",
  "{": "braceleft",
  "}": "braceright",
};
const COMMAND_CHARACTERS = new Map(Object.entries(COMMANDS).map(([character, name]) => [name, character]));

/** In one pass, so that what a command stands for is not read as TeX again. */
const readMarks = (text: string) =>
  text.replaceAll(
    /\\([&%$#_{}])|\\text(\w+)(?:\{\})?|---|[~{}]/g,
    (mark, escaped: string | undefined, command: string | undefined) => {
      if (escaped !== undefined) return escaped;
      if (command !== undefined) return COMMAND_CHARACTERS.get(command) ?? mark;
      if (mark === "~") return " ";
      return mark === "---" ? "—" : "";
    },
  );

/** Replaces TeX's accents and special letters by Unicode, and removes braces. */
export const readTex = (text: string): string =>
  readMarks(
    text
      .replaceAll(/\\([`'^~"=.]|[cvuHr](?=[\s{]))\s*\{?\\?([A-Za-zı])\}?/g, (_, accent: string, letter: string) =>
        (letter + (ACCENTS[accent] ?? "")).normalize("NFC"),
      )
      .replaceAll(/\\(ss|ae|AE|oe|aa|o|O|l|L|i)(?![A-Za-z])\s?/g, (_, name: string) => LETTERS[name] ?? ""),
  )
    .replaceAll(/\s+/g, " ")
    .trim();

/** Escapes text so that `readTex` and TeX give the same text again. */
export const writeTex = (text: string): string =>
  text.replaceAll(/[&%$#_]|[\\~^{}]|---/g, (mark) => {
    const command = COMMANDS[mark];
    if (command !== undefined) return String.raw`\text${command}{}`;
    return mark === "---" ? "-{}-{}-" : `\\${mark}`;
  });

/** Reads an address, in which `~`, `-` and `_` are ordinary characters, also inside `\url{…}`. */
export const readTexAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\\url\s*\{(.*)\}$/s, "$1")
    .replaceAll(/\{?\\textasciitilde(?:\{\})?\}?|\\~(?:\{\})?/g, "~")
    .replaceAll(/\\([&%$#_])/g, "$1")
    .replaceAll(/[{}\s]/g, "");

/** TeX commands are not read in addresses: only what would end the field is written as percent code. */
export const writeTexAddress = (text: string): string =>
  text.trim().replaceAll(/[{}\\\s]/g, (character) => encodeURIComponent(character));
