import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

interface Import {
  from: string;
  to: string;
}

const files = readdirSync("api", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name));

/** The folder directly below `api/`; undefined for the files in `api/` itself, which connect the folders. */
const folderOf = (file: string) => /^api\/([^/]+)\//.exec(file)?.[1];

function importsOf(file: string): Import[] {
  return ts.preProcessFile(readFileSync(file, "utf8"), true, true).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith("#api/")) return { from: file, to: fileName.slice(1) };
    return fileName.startsWith(".") ? { from: file, to: join(dirname(file), fileName) } : [];
  });
}

/** Imports from folder to folder that are part of a cycle; types count as well. */
function importsInCycles(imports: readonly Import[]): string[] {
  const links = new Map<string, Set<string>>();
  const between = imports.flatMap(({ from, to }) => {
    const [source, target] = [folderOf(from), folderOf(to)];
    if (source === undefined || target === undefined || source === target) return [];
    links.set(source, (links.get(source) ?? new Set()).add(target));
    return { source, target, text: `${from} → ${to}` };
  });
  const reaches = (start: string, end: string) => {
    const seen = new Set([start]);
    for (const folder of seen) for (const next of links.get(folder) ?? []) seen.add(next);
    return seen.has(end);
  };
  return between.filter(({ source, target }) => reaches(target, source)).map(({ text }) => text);
}

test("the folders of the API have no import cycles", () => {
  const imports = files.flatMap(importsOf);
  expect(imports.length).toBeGreaterThan(1000);
  expect(importsInCycles(imports)).toEqual([]);
});

test("a cycle over three folders is found, with each import that closes it", () => {
  const imports = [
    { from: "api/auth/a.ts", to: "api/user/b.ts" },
    { from: "api/user/deep/c.ts", to: "api/pages/d.ts" },
    { from: "api/pages/d.ts", to: "api/auth/e.ts" },
    { from: "api/study/f.ts", to: "api/pages/d.ts" },
  ];
  expect(importsInCycles(imports)).toEqual([
    "api/auth/a.ts → api/user/b.ts",
    "api/user/deep/c.ts → api/pages/d.ts",
    "api/pages/d.ts → api/auth/e.ts",
  ]);
});

function isBarrel(file: string): boolean {
  const { statements } = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return statements.some((statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined);
}

test("no file of the API re-exports another file's names", () => {
  expect(files.filter(isBarrel)).toEqual([]);
});
