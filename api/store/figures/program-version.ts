import { readFileSync } from "node:fs";

/** The version of the program, and so of the built-in engine. */
export const { version: programVersion } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
) as { version: string };
