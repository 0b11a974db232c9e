import { interpolate } from "./interpolate.ts";

const special = /[.*+?^$()|[\]\\/]/g;

/** A regular expression for a message pattern such as `There are {{count}} of them.` */
const readerOf = (pattern: string) =>
  new RegExp(`^${pattern.replaceAll(special, String.raw`\$&`).replaceAll(/\{\{(\w+)\}\}/g, "(?<$1>.+)")}$`, "s");

/** The field name in front of a validation message, as in `model: There is no such model.` */
const FIELD = /^[\w.]+: /;

/**
 * Says phrases of the tutor by a table of them, English to another language. Forms with values are tried one after
 * the other, so that the table names narrower ones first; a sentence that is in none comes back as it was.
 */
export function answersBy(table: Readonly<Record<string, string>>): (message: string) => string {
  const forms = Object.keys(table)
    .filter((pattern) => pattern.includes("{{"))
    .map((pattern) => ({ reader: readerOf(pattern), words: table[pattern] ?? "" }));
  const find = (message: string): string | undefined => {
    if (Object.hasOwn(table, message)) return table[message];
    for (const { reader, words } of forms) {
      const found = reader.exec(message);
      if (found) return interpolate(words, found.groups ?? {});
    }
    return undefined;
  };
  return (message) => find(message) ?? find(message.replace(FIELD, "")) ?? message;
}
