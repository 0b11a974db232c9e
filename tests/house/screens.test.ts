import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isPublicPage } from "#shared/marketing/match-screen.ts";
import { screenPath, screens, type ScreenName } from "#shared/screens.ts";
import { screenComponents } from "#webapp/routes/screen-components.ts";

const isBuilt = (name: ScreenName) => name in screenComponents || isPublicPage(name);

test("every screen of the table exists", () => {
  const names = Object.keys(screens) as ScreenName[];
  expect(names.filter((name) => !isBuilt(name))).toEqual([]);
});

test("no two screens share a path", () => {
  const paths = Object.values(screens).map(({ path }) => path.replaceAll(/[:*]\w+/g, ":"));
  expect(new Set(paths).size).toBe(paths.length);
});

test("a screen's folder in the web app is named after its feature", () => {
  for (const name of Object.keys(screenComponents) as ScreenName[])
    expect([name, existsSync(`webapp/${screens[name].feature}`)]).toEqual([name, true]);
});

test("builds an address from a screen's row with encoded parameters", () => {
  expect(screenPath("study", { id: "a/b", flashcard: "ü" })).toBe("/page/a%2Fb/study/%C3%BC");
  expect(screenPath("pdf", { slug: "folder/file 1.pdf" })).toBe("/pdf/folder/file%201.pdf");
});
