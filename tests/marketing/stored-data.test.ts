import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storedData } from "#shared/marketing/stored-data.ts";

/** The names of all collections in the API's sources. */
function listCollections(): string[] {
  const files = readdirSync("api", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) => {
    const source = readFileSync(join("api", file), "utf8");
    return [...source.matchAll(/CollectionSpec<\w+> = \{\s*name: "(\w+)"/g)].map(([, name = ""]) => name);
  });
}

test("the privacy page names every stored collection exactly once", () => {
  const named = storedData.flatMap(({ collections }) => collections);
  const stored = listCollections();
  expect(stored.length).toBeGreaterThan(30);
  expect(stored.filter((name) => !named.includes(name))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});
