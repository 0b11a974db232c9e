import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { english } from "#shared/messages/english.ts";
import { Preferences } from "#shared/user/schema.ts";

interface Row {
  preference: string;
  place: string;
  effect: string;
  testReference: string;
}

const rows: Row[] = readFileSync("docs/preferences.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [preference = "", place = "", effect = "", testReference = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { preference: preference.replaceAll("`", ""), place, effect, testReference };
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

test("every row names an effect and a label of the settings, or of its control elsewhere", () => {
  const { account, user, planning, reminders, labs, research } = english;
  const labels = new Set<string>([account, user, planning, reminders, labs].flatMap((table) => Object.values(table)));
  for (const { preference, place, effect } of rows) {
    expect(effect, preference).not.toBe("");
    if (preference === "research.canvas_width") expect(place).toBe(research.wide_canvas);
    else expect(labels, preference).toContain(place);
  }
});

test("every row names an existing test by its whole title", () => {
  for (const { preference, testReference } of rows) {
    const [, file = "", title = ""] = /^`([^`]+)` "(.+)"$/.exec(testReference) ?? [];
    expect(existsSync(file), `${preference}: ${file}`).toBe(true);
    // The title is a whole string and the first argument of a test.
    expect(readFileSync(file, "utf8"), `${preference}: ${file}`).toContain(`"${title}",`);
  }
});
