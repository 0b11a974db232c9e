import { diffLines, toHunks } from "#shared/website/diff-lines.ts";
import type { FileChange } from "#shared/website/schema.ts";
import type { SiteFiles } from "./project-files.ts";

const MAX_LINES_PER_FILE = 400;
const MAX_LINE_CHARS = 400;

function compareFile(path: string, earlier: string | undefined, later: string | undefined): FileChange {
  const missing = later === undefined ? "removed" : "changed";
  const kind = earlier === undefined ? "added" : missing;
  const lines = diffLines(earlier ?? "", later ?? "");
  const count = (wanted: string) => lines.filter((line) => line.kind === wanted).length;
  let linesLeft = MAX_LINES_PER_FILE;
  const all = toHunks(lines);
  const hunks = all.flatMap(({ line, lines: shown }) => {
    const included = shown.slice(0, linesLeft).map((diff) => ({ ...diff, text: diff.text.slice(0, MAX_LINE_CHARS) }));
    linesLeft -= included.length;
    return included.length === 0 ? [] : [{ line, lines: included }];
  });
  const isCut = all.reduce((sum, hunk) => sum + hunk.lines.length, 0) > MAX_LINES_PER_FILE;
  return { path, kind, added: count("added"), removed: count("removed"), hunks, isCut };
}

/** The files that differ between two states, with their lines. */
export function compareFiles(earlier: SiteFiles, later: SiteFiles): FileChange[] {
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return paths
    .filter((path) => earlier.get(path) !== later.get(path))
    .map((path) => compareFile(path, earlier.get(path), later.get(path)));
}
