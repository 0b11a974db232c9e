import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { v1 } from "#shared/contract/v1.ts";
import { screens } from "#shared/screens.ts";

/** Folders that belong to no feature, by room. */
const nonFeatureFolders = new Set([
  "ai",
  "app",
  "blobs",
  "build",
  "cards",
  "client",
  "contract",
  "documents",
  "entrypoints",
  "fixtures",
  "house",
  "http",
  "jobs",
  "journeys",
  "kit",
  "long",
  "messages",
  "offline",
  "outside",
  "platform",
  "public",
  "routes",
  "store",
  "sync",
  "text",
  "ui",
  "words",
]);
const folders = (room: string) =>
  readdirSync(room, { withFileTypes: true })
    .filter((d) => d.isDirectory() && !d.name.startsWith(".") && !nonFeatureFolders.has(d.name))
    .map((d) => d.name);

const rooms = ["shared", "api", "webapp", "extension"].filter((room) => existsSync(room));

test.each([...rooms.slice(1), "tests"])(
  "%s holds only folders named after a feature of the contract or of the screens",
  (room) => {
    const features = new Set<string>([...Object.keys(v1), ...Object.values(screens).map((screen) => screen.feature)]);
    expect(folders(room).filter((name) => !features.has(name))).toEqual([]);
  },
);

test.each(Object.keys(v1))("%s has handlers and a test", (feature) => {
  expect(existsSync(`api/${feature}/handlers.ts`)).toBe(true);
  expect(existsSync(`tests/${feature}`)).toBe(true);
});

const MAX_FILES_PER_FOLDER = 20;

function* foldersBelow(folder: string): Generator<{ folder: string; files: number }> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.name.startsWith("."));
  yield { folder, files: entries.filter((entry) => entry.isFile()).length };
  for (const entry of entries) if (entry.isDirectory()) yield* foldersBelow(`${folder}/${entry.name}`);
}

test.each([...rooms, "tests", "bench", "scripts"])("no folder of %s holds more than 20 files directly", (room) => {
  expect([...foldersBelow(room)].filter(({ files }) => files > MAX_FILES_PER_FOLDER)).toEqual([]);
});

test("no two endpoints share a method and path", () => {
  const keys = Object.values(v1).flatMap((f) =>
    Object.values(f).map((e) => `${e.method} ${e.path.replaceAll(/:\w+/g, ":")}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

/** Under TypeScript 7 the cruiser reads no source and reports success, so the count is checked too. */
test("the boundary check read the source", () => {
  const args = ["depcruise", "--config", "tests/house/dependencies.cjs", "--output-type", "json", "shared/sync"];
  const report = JSON.parse(execFileSync("npx", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })) as {
    summary: { totalCruised: number };
  };
  expect(report.summary.totalCruised).toBeGreaterThan(10);
});
