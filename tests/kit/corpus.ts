import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.env["CORPUS_DIR"] ?? "../shared/corpus";

/** Path of a folder of the shared corpus; undefined, with a note in the output, if there is none. */
export function corpusFolder(name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  process.stdout.write(`skipped: no corpus at ${path} (CORPUS_DIR names it)\n`);
  return undefined;
}

/** Paths of the files of one kind of the corpus, sorted. */
export function corpusFiles(name: string): string[] {
  const path = corpusFolder(name);
  if (path === undefined) return [];
  return readdirSync(path)
    .toSorted()
    .map((file) => join(path, file));
}
