import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
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

/** The packages that the server's files import, with every file that they reach; types are not counted. */
function listServerPackages(): string[] {
  const packages = new Set<string>();
  const files = new Set(
    readdirSync("api", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join("api", file)),
  );
  for (const file of files) {
    const withoutTypes = readFileSync(file, "utf8").replaceAll(/^(?:import|export) type [^;]+;/gm, "");
    for (const { fileName } of ts.preProcessFile(withoutTypes, true, true).importedFiles) {
      if (fileName.startsWith("node:")) continue;
      if (fileName.startsWith("#")) files.add(fileName.slice(1));
      else if (fileName.startsWith(".")) files.add(join(dirname(file), fileName));
      else packages.add(fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/"));
    }
  }
  return [...packages];
}

test("the image, which has no development packages, has every package that the server imports", () => {
  const { dependencies = {} } = JSON.parse(read("package.json")) as { dependencies?: Record<string, string> };
  const imported = listServerPackages();
  expect(imported.length).toBeGreaterThan(30);
  expect(imported.filter((name) => !(name in dependencies))).toEqual([]);
});
