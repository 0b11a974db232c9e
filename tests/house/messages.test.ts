import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { english } from "#shared/messages/english.ts";

/** Rows of the table: a message, and its test or the reason why it has no test. */
const rows = readFileSync("docs/messages.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, message, shown] = /^\| “(.+)”\s*\| (.+?)\s*\|$/.exec(line) ?? [];
    return message === undefined || shown === undefined ? [] : [{ message, shown }];
  });

const isUntested = (shown: string) => shown.startsWith("– ");

test("every message of the specification is tested in the file that its row names", () => {
  const lost = rows
    .filter(({ shown }) => !isUntested(shown))
    .filter(({ message, shown }) => !readFileSync(shown.replaceAll("`", ""), "utf8").includes(message));
  expect(lost).toEqual([]);
  expect(rows.length).toBeGreaterThan(80);
});

test("messages without a test belong to parts that don't exist yet", () => {
  const words = Object.values(english).flatMap((table): string[] => Object.values(table));
  const spoken = rows.filter(({ message, shown }) => isUntested(shown) && words.some((text) => text.includes(message)));
  expect(spoken).toEqual([]);
});

test("every failure message of the interface is in the table", () => {
  // The message for a browser without cookies is not in the specification.
  const { no_cookies: _, ...failures } = english.failures;
  const listed = new Set(rows.map(({ message }) => message));
  expect(Object.values(failures).filter((message) => !listed.has(message))).toEqual([]);
});
