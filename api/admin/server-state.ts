import { readFileSync } from "node:fs";

/** The version of the program. */
export const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

export async function readStatus(check: Promise<void>): Promise<"ok" | "failing"> {
  return check.then(
    () => "ok" as const,
    () => "failing" as const,
  );
}
