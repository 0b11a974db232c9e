import type { SiteFiles } from "../../project-files.ts";

/** Puts the changes from `start` to `changed` on top of the present files. A file changed in both is the changed one. */
export function mergeFiles(
  start: SiteFiles,
  present: SiteFiles,
  changed: SiteFiles,
): { files: Map<string, string>; conflicts: string[] } {
  const files = new Map(present);
  const conflicts: string[] = [];
  for (const path of new Set([...start.keys(), ...changed.keys()])) {
    const [before, now, after] = [start.get(path), present.get(path), changed.get(path)];
    if (after === before) continue;
    if (now !== before && now !== after) conflicts.push(path);
    if (after === undefined) files.delete(path);
    else files.set(path, after);
  }
  return { files, conflicts };
}
