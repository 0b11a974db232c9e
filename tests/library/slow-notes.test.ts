import { expect, test } from "vitest";
import { createNoteReader } from "#api/documents/notes/note-limits.ts";
import { NoteLosses } from "#api/documents/notes/note-losses.ts";
import type { Note, NotesTree } from "#api/documents/notes/notes-tree.ts";
import { createPageReader } from "#api/documents/notes/read-page.ts";
import { NoteTimes, runWithLimit, TimeLimitError } from "#api/documents/notes/time-limit.ts";

const tree: NotesTree = {
  kind: "markdown",
  notes: [],
  folders: [],
  files: new Map(),
  find: () => undefined,
  addAlias: () => undefined,
};

function aNote(path: string): Note {
  const bytes = Buffer.from("Water moves.");
  const file = { path, sizeBytes: bytes.length, read: async () => bytes };
  return { file, id: path, name: path, format: "markdown", folder: "", bytes };
}

test("a note that takes too long to convert is reported by name, and the notes after it are imported", () => {
  const losses = new NoteLosses();
  const readPage = createPageReader(tree, losses, {
    times: new NoteTimes(2_000),
    convert: (note) => {
      if (note.name === "endless.md") for (;;);
      return { id: note.id, title: note.name, emoji: null, folder: "", blocks: [], links: 0 };
    },
  });
  expect(["a.md", "endless.md", "b.md"].map((path) => readPage(aNote(path))?.title)).toEqual([
    "a.md",
    undefined,
    "b.md",
  ]);
  expect(losses.list()).toMatchObject([{ what: "slow_notes", count: 1, examples: ["endless.md"] }]);
});

test("an endless regular expression is interrupted too; other errors stay what they are", () => {
  expect(() => runWithLimit(() => /^(?:a+)+$/.test(`${"a".repeat(60)}b`), 50)).toThrow(TimeLimitError);
  expect(() =>
    runWithLimit(() => {
      throw new RangeError("too deep");
    }, 5000),
  ).toThrow(RangeError);
  expect(runWithLimit(() => 7, 5000)).toBe(7);
});

const MB = 1024 * 1024;

test("a note that is too large is left out, and so are the notes after 200 MB of text, each for its own reason", async () => {
  const losses = new NoteLosses();
  const read = createNoteReader(losses);
  const bytes = Buffer.alloc(20 * MB);
  const fileOf = (path: string, sizeBytes = bytes.length) => ({ path, sizeBytes, read: async () => bytes });
  expect(await read(fileOf("huge.md", 20 * MB + 1))).toBeUndefined();
  for (let at = 0; at < 11; at += 1) expect(await read(fileOf(`${at}.md`))).toBe(bytes);
  expect(await read(fileOf("small.md", 1000))).toBeUndefined();
  expect(await read(fileOf("late-and-huge.md", 20 * MB + 1))).toBeUndefined();
  expect(losses.list()).toEqual([
    { what: "large_notes", count: 1, examples: ["huge.md"] },
    { what: "too_many_notes", count: 2, examples: ["small.md", "late-and-huge.md"] },
  ]);
});
