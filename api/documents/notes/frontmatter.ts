/** The properties at the top of a note, in order; a property may have several values. */
export interface Frontmatter {
  properties: ReadonlyMap<string, readonly string[]>;
  /** The note without its frontmatter. */
  rest: string;
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_PROPERTIES = 100;
const MAX_CHARS = 100_000;

const unquote = (value: string) => value.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");

function parseValues(value: string): string[] {
  const list = /^\[([\s\S]*)\]$/.exec(value.trim())?.[1];
  const values = list === undefined ? [value] : list.split(",");
  return values.map(unquote).filter((entry) => entry !== "");
}

/**
 * Parses the YAML subset that note apps write: `key: value`, `key: [a, b]` and lists with one item per line. Nested
 * keys are ignored, but their list items are added to the property around them.
 */
export function readFrontmatter(text: string): Frontmatter {
  const [whole, inside] = FENCED.exec(text.slice(0, MAX_CHARS)) ?? [];
  if (whole === undefined || inside === undefined) return { properties: new Map(), rest: text };
  return { properties: parseProperties(inside), rest: text.slice(whole.length) };
}

function parseProperties(lines: string): Map<string, string[]> {
  const properties = new Map<string, string[]>();
  let currentValues: string[] | undefined;
  for (const line of lines.split(/\r?\n/)) {
    const item = /^\s*- (.*)$/.exec(line)?.[1];
    const [, name, value] = /^([^\s:#-][^:]{0,80}):(?:\s+(.*))?$/.exec(line) ?? [];
    if (item !== undefined) currentValues?.push(...parseValues(item));
    else if (name !== undefined) {
      currentValues = parseValues(value ?? "");
      if (properties.size < MAX_PROPERTIES) properties.set(name.trim(), currentValues);
    }
  }
  return properties;
}
