import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../..", name), "utf8");

test("the container image pins its base by version, and its user can't change the program", () => {
  const dockerfile = read("Dockerfile");
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);
  expect(bases.length).toBeGreaterThan(0);
  for (const base of bases) expect(base).toMatch(/:\d+\.\d+\.\d+-/);
  expect(dockerfile).not.toMatch(/--chown/);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test("the database of compose.yaml asks for a password that has no default", () => {
  const compose = read("compose.yaml");
  expect(compose).toMatch(/image: mongo:\d+\.\d+\.\d+/);
  expect(compose).toContain("--keyFile");
  expect(compose).toMatch(/mongodb:\/\/lamplight:\$\{MONGO_PASSWORD:\?/);
});
