/** The properties at the top of a note, in order; a property may have several values. */
export interface Frontmatter {
  properties: ReadonlyMap<string, readonly string[]>;
  /** The note without its frontmatter. */
  rest: string;
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_PROPERTIES = 100;
const MAX_CHARS = 100_000;

const unquoted = (value: string) => value.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");

function valuesOf(value: string): string[] {
  const list = /^\[([\s\S]*)\]$/.exec(value.trim())?.[1];
  const values = list === undefined ? [value] : list.split(",");
  return values.map(unquoted).filter((one) => one !== "");
}

/**
 * Parses the YAML subset that note apps write: `key: value`, `key: [a, b]` and lists with one item per line. Ignores
 * deeper structures.
 */
export function readFrontmatter(text: string): Frontmatter {
  const [whole, inside] = FENCED.exec(text.slice(0, MAX_CHARS)) ?? [];
  if (whole === undefined || inside === undefined) return { properties: new Map(), rest: text };
  return { properties: propertiesIn(inside), rest: text.slice(whole.length) };
}

function propertiesIn(lines: string): Map<string, string[]> {
  const properties = new Map<string, string[]>();
  let held: string[] | undefined;
  for (const line of lines.split(/\r?\n/)) {
    const item = /^\s*- (.*)$/.exec(line)?.[1];
    const [, name, value] = /^([^\s:#-][^:]{0,80}):(?:\s+(.*))?$/.exec(line) ?? [];
    if (item !== undefined) held?.push(...valuesOf(item));
    else if (name !== undefined && properties.size < MAX_PROPERTIES) {
      held = valuesOf(value ?? "");
      properties.set(name.trim(), held);
    }
  }
  return properties;
}
