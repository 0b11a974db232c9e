/** Names that every style defines as a `@string`. */
export const BIBTEX_MONTHS: readonly string[] = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];

export interface BibtexEntry {
  type: string;
  /** By name in lower case; names of `@string` are replaced and parts joined, TeX is not read. */
  values: ReadonlyMap<string, string>;
}

/** Longer `@string` values are cut, because each may contain the ones before it many times. */
const MAX_STRING_CHARS = 2000;

type Strings = Map<string, string>;

interface Part {
  value: string;
  end: number;
}

/** Reads the text from `start`, which is in braces or quotes, and returns its end too. */
export function readEnclosed(source: string, start: number, open: "{" | '"'): Part {
  let depth = 0;
  for (let position = start; position < source.length; position += 1) {
    if (source[position] === "\\") {
      position += 1;
      continue;
    }
    if (source[position] === "{") depth += 1;
    else if (source[position] === "}") depth -= 1;
    const isEnd = open === "{" ? depth === 0 : depth === 0 && position > start && source[position] === '"';
    if (isEnd) return { value: source.slice(start + 1, position), end: position + 1 };
  }
  return { value: source.slice(start + 1), end: source.length };
}

/** Reads one part of a value: in braces, in quotes, a number or a name of a `@string`. */
function readPart(source: string, start: number, strings: Strings): Part {
  const open = source[start];
  if (open === "{" || open === '"') return readEnclosed(source, start, open);
  const bare = /[^,}#\n]*/y;
  bare.lastIndex = start;
  const [text = ""] = bare.exec(source) ?? [];
  const name = text.trim();
  return { value: strings.get(name.toLowerCase()) ?? name, end: start + text.length };
}

const skipSpace = (source: string, start: number) => {
  let position = start;
  while (/\s/.test(source[position] ?? "")) position += 1;
  return position;
};

/** Reads a value with all its parts, which `#` joins. */
function readValue(source: string, start: number, strings: Strings): Part {
  const first = readPart(source, start, strings);
  const parts = [first.value];
  let { end } = first;
  for (let next = skipSpace(source, end); source[next] === "#"; next = skipSpace(source, end)) {
    const part = readPart(source, skipSpace(source, next + 1), strings);
    parts.push(part.value);
    end = part.end;
  }
  return { value: parts.join(""), end };
}

/** Reads `name = value` pairs separated by commas, from `start`. */
function readValues(body: string, start: number, strings: Strings): Map<string, string> {
  const values = new Map<string, string>();
  const key = /([\w-]+)\s*=\s*/y;
  let position = start;
  while (position < body.length) {
    while (/[\s,]/.test(body[position] ?? "")) position += 1;
    key.lastIndex = position;
    const name = key.exec(body)?.[1];
    if (name === undefined) break;
    const { value, end } = readValue(body, key.lastIndex, strings);
    values.set(name.toLowerCase(), value);
    position = end;
  }
  return values;
}

/** Reads the entries of a BibTeX file. */
export function readBibtexEntries(text: string): BibtexEntry[] {
  const entries: BibtexEntry[] = [];
  const strings: Strings = new Map();
  const start = /@(\w+)\s*(?=\{)/g;
  for (let match = start.exec(text); match; match = start.exec(text)) {
    const { value: body, end } = readEnclosed(text, start.lastIndex, "{");
    start.lastIndex = end;
    const type = (match[1] ?? "").toLowerCase();
    if (type === "string")
      for (const [name, value] of readValues(body, 0, strings)) strings.set(name, value.slice(0, MAX_STRING_CHARS));
    else if (type !== "comment" && type !== "preamble") {
      const [citationKey = ""] = /^[^,]*,?/.exec(body) ?? [];
      entries.push({ type, values: readValues(body, citationKey.length, strings) });
    }
  }
  return entries;
}
