import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect } from "vitest";
import { startApi } from "#tests/kit/api.ts";

const refusals = new Set(["invalid_file", "unsupported_file_type", "too_large", "bad_input"]);
const LARGEST_SHOWN = 200_000;

/** Uploads each file as a profile picture. Resolves to the accepted ones, which must be small and without metadata; others must be refused with a message. */
export async function tryPictures(paths: readonly string[]): Promise<string[]> {
  const api = await startApi({ realClock: true, env: { RATE_LIMIT_FACTOR: "100" } });
  const ada = await api.newUser();
  const taken: string[] = [];
  for (const path of paths) {
    const [name, file] = [basename(path), new Blob([new Uint8Array(readFileSync(path))])];
    const answer = await ada.client.user
      .uploadProfilePicture({}, [{ field: "image", file, name }])
      .catch((error: unknown) => error as Error & { code?: string });
    if (answer instanceof Error) {
      expect([name, refusals.has(answer.code ?? ""), answer.message !== ""]).toEqual([name, true, true]);
      continue;
    }
    taken.push(name);
    const shown = await fetch(api.origin + answer.location);
    const bytes = Buffer.from(await shown.arrayBuffer());
    const facts = [name, shown.headers.get("content-type"), bytes.length < LARGEST_SHOWN, bytes.includes("EXIF")];
    expect(facts).toEqual([name, "image/webp", true, false]);
  }
  return taken;
}
