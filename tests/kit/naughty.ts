import { readFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolder } from "./corpus.ts";

/** Used even without a corpus, so that no suite is empty. */
const always = [
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "\u202Etxet",
  "👩‍👩‍👧‍👦 Z̸̡a̵l̷g̶o̸",
  "$& $1 %s {{title}} ${x}",
  "* not a list\n# not a heading",
  "ا ب ت 日本語",
];

/**
 * Strings that have broken other programs, including those of the corpus: the
 * [Big List of Naughty Strings](https://github.com/minimaxir/big-list-of-naughty-strings).
 */
export function naughtyStrings(): string[] {
  const folder = corpusFolder("text");
  if (folder === undefined) return always;
  return [...always, ...(JSON.parse(readFileSync(join(folder, "blns.json"), "utf8")) as string[])];
}
