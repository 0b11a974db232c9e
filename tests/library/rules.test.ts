import { expect, test } from "vitest";
import { proposeFolderTitle } from "#shared/library/folder-title.ts";
import { MAX_FOLDER_DEPTH, canContainItems, canNestFolder } from "#shared/library/rules.ts";
import type { Folder, FolderItem } from "#shared/library/schema.ts";

const folder = (_id: string, ...ids: string[]) => ({ ...contains(...ids), _id }) as Folder;

const contains = (...ids: string[]): { items: FolderItem[] } => ({
  items: ids.map((item_id) => ({ item_id, item_type: "folder", created_at: 0 })),
});

test("folders can be nested up to the maximum depth and no deeper", () => {
  const chain = (length: number) =>
    new Map(Array.from({ length }, (_, i) => [`f${i}`, i + 1 < length ? contains(`f${i + 1}`) : contains()]));
  expect(canContainItems("top", contains("f0").items, chain(MAX_FOLDER_DEPTH - 1))).toBe(true);
  expect(canContainItems("top", contains("f0").items, chain(MAX_FOLDER_DEPTH))).toBe(false);
});

test("an existing cycle is refused instead of followed forever", () => {
  const circle = new Map([
    ["a", contains("b")],
    ["b", contains("a")],
  ]);
  expect(canContainItems("top", contains("a").items, circle)).toBe(false);
});

test("a folder can't be moved into one of its subfolders", () => {
  const folders = [folder("outer", "inner"), folder("inner"), folder("other")];
  expect(canNestFolder("outer", "inner", folders)).toBe(false);
  expect(canNestFolder("outer", "outer", folders)).toBe(false);
  expect(canNestFolder("other", "inner", folders)).toBe(true);
});

test.each([
  [["Lecture 3: Cell membranes", "Cell membranes.pdf", "Transport"], "Cell Membranes"],
  [["Photosynthesis"], "Photosynthesis"],
  [["Mitosis", "Trade in 1850"], "Mitosis and Trade"],
  [["Untitled", "Chapter 4"], ""],
  [[], ""],
])("suggests for contents %j the title %j", (titles, title) => expect(proposeFolderTitle(titles)).toBe(title));
