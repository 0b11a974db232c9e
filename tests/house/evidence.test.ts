import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultRows } from "#tests/long/faults/fault-rows.ts";
import { allProtections } from "#tests/long/faults/protections/all-protections.ts";

const rows = readFileSync("docs/asvs.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, id, state, evidence] = /^\| (\d\.\d\.\d+)\s*\| \d\s*\| ([a-z ]+?)\s*\| (.+?)\s*\|$/.exec(line) ?? [];
    return id === undefined || state === undefined || evidence === undefined ? [] : [{ id, state, evidence }];
  });

/** How many lines each section of the three chapters has in ASVS 5.0.0. */
const sections =
  "6.1 3, 6.2 12, 6.3 8, 6.4 6, 6.5 8, 6.6 4, 6.7 2, 6.8 4, 7.1 3, 7.2 4, 7.3 2, 7.4 5, 7.5 3, 7.6 2, 9.1 3, 9.2 4";

test("docs/asvs.md answers every line of the three chapters exactly once", () => {
  const all = sections.split(", ").flatMap((entry) => {
    const [section, count] = entry.split(" ");
    return Array.from({ length: Number(count) }, (_, at) => `${section}.${at + 1}`);
  });
  expect(rows.map(({ id }) => id)).toEqual(all);
  const states = new Set(rows.map(({ state }) => state));
  expect([...states].toSorted()).toEqual(["met", "not applicable", "not done", "partly met"]);
});

test("the totals in docs/asvs.md equal its rows", () => {
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  const totals = `Of ${rows.length} requirements ${count("met")} are met, ${count("not applicable")} are not applicable, ${count("partly met")} are partly met, ${count("not done")} are not done.`;
  expect(readFileSync("docs/asvs.md", "utf8")).toContain(totals);
});

/** Files named in a text, each with the words that the text quotes from it. */
const findNamedFiles = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.tsx?)`(?: "([^"]+)")?/g)].map(([, file = "", words = ""]) => ({ file, words }));

test.each(["asvs", "faults", "extension"])("the files and quotations named in docs/%s.md exist", (page) => {
  const named = findNamedFiles(readFileSync(`docs/${page}.md`, "utf8"));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ file, words }) => !existsSync(file) || !readFileSync(file, "utf8").includes(words))).toEqual(
    [],
  );
});

test("every test and sweep that `npm run faults` runs exists", () => {
  const checks = faultRows.flatMap((row) => row.checks);
  const missing = checks.filter((check) => {
    const file = "tests" in check ? check.tests : check.sweep;
    const titles = new RegExp("tests" in check ? (check.title ?? "") : "");
    return !existsSync(file) || !titles.test(readFileSync(file, "utf8"));
  });
  expect(missing).toEqual([]);
});

test("every protection that `take-away.ts` removes is in the source, and so are the tests that must fail without it", () => {
  const unfit = allProtections.filter(({ edits, tests, title }) => {
    const isFound = edits.every(({ file, from }) => readFileSync(file, "utf8").split(from).length === 2);
    return !isFound || !new RegExp(title ?? "").test(readFileSync(tests, "utf8"));
  });
  expect(unfit.map(({ id }) => id)).toEqual([]);
  expect(new Set(allProtections.map(({ id }) => id)).size).toBe(allProtections.length);
});

/** The findings of the attack and of the fault runs in November 2026, by the ids of their protections. */
const findings = [
  ...Array.from({ length: 17 }, (_, at) => `F${at + 1}`),
  ...Array.from({ length: 15 }, (_, at) => `R-F${at + 1}`),
];

test("docs/faults.md names, for every finding, the protection and the test that fails without it", () => {
  const named = readFileSync("docs/faults.md", "utf8").matchAll(/^\| ([A-Z][\w-]*) +\| (.+?) +\| `(tests[\w./-]+)`/gm);
  const protections = new Map([...named].map(([, id = "", what, tests]) => [id, { what, tests }]));
  expect(findings.filter((id) => !protections.has(id))).toEqual([]);
  const known = new Map(allProtections.map(({ id, what, tests }) => [id, { what, tests }]));
  for (const [id, protection] of protections) expect([id, known.get(id)]).toEqual([id, protection]);
});

/** A requirement to document something, which its own line does. */
const selfEvident = new Set(["7.1.3"]);

test("every requirement that is met names a test as evidence", () => {
  const bare = rows.filter(
    ({ id, state, evidence }) =>
      state === "met" &&
      !selfEvident.has(id) &&
      !findNamedFiles(evidence).some(({ file }) => file.startsWith("tests/")),
  );
  expect(bare).toEqual([]);
});
