import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startOfSha1 } from "#webapp/marketing/tools/export/sha1.ts";

test("the checksum of an Anki note is the beginning of its SHA-1 hash, computed without the browser's own function", () => {
  const texts = ["", "abc", "Größe 🧬", ...Array.from({ length: 200 }, (_, length) => "é".repeat(length))];
  for (const text of texts) expect(startOfSha1(text)).toBe(createHash("sha1").update(text).digest().readUInt32BE(0));
});
