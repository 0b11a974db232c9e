import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder for the files of one test, deleted after the test. Call it within the test. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
