import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { english } from "#shared/messages/english.ts";
import { Preferences } from "#shared/user/schema.ts";

interface Row {
  preference: string;
  place: string;
  effect: string;
  test: string;
}

const rows: Row[] = readFileSync("docs/preferences.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [preference = "", place = "", effect = "", shown = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { preference: preference.replaceAll("`", ""), place, effect, test: shown };
  });

const leaves = (value: object, path = ""): string[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? leaves(inner as object, `${path}${key}.`)
      : [`${path}${key}`],
  );

const byName = (a: string, b: string) => a.localeCompare(b);

test("every preference of the schema has a row, and every row has a preference", () => {
  expect(rows.map(({ preference }) => preference).toSorted(byName)).toEqual(
    leaves(Preferences.parse({})).toSorted(byName),
  );
});

test("every preference names an existing settings label and its effect", () => {
  const words = new Set<string>(Object.values(english).flatMap((table) => Object.values(table)));
  for (const { preference, place, effect } of rows) {
    expect([preference, effect === ""]).toEqual([preference, false]);
    expect([preference, words.has(place)]).toEqual([preference, true]);
  }
});

test("every effect names an existing test", () => {
  for (const { preference, test: shown } of rows) {
    const [, file = "", title = ""] = /^`([^`]+)` "(.+)"$/.exec(shown) ?? [];
    const isThere = existsSync(file) && readFileSync(file, "utf8").includes(title);
    expect([preference, file, isThere]).toEqual([preference, file, true]);
  }
});
