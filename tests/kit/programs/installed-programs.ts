import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Where programs that tests have built stay for the next run. */
export const programCache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "lamplight");

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The path of a program; undefined if it is not installed. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    if (folder !== "" && (await exists(path))) return path;
  }
  return undefined;
}
