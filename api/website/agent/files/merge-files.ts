import type { SiteFiles } from "../../project-files.ts";

/**
 * Applies the changes from `start` to `changed` to the present files. A file that changed in both gets the version in
 * `changed`, and is a conflict unless the versions are equal.
 */
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
