import { describe, expect, test } from "vitest";
import { passagesFromText } from "#shared/text/plain-text.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { proposeSourceTitle } from "#shared/text/titles.ts";

const shapes = (text: string) => passagesFromText(text).map((p) => [p.kind, p.text]);

describe("plain text becomes passages", () => {
  test("Markdown gives headings, paragraphs, list items and bold words", () => {
    const passages = passagesFromText(
      "# Tides\nThe **tide** rises\ntwice a day.\n\n- *Neap* tides are low\n- __Spring tides__ are high",
    );
    expect(passages.map((p) => [p.kind, p.text])).toEqual([
      ["heading", "Tides"],
      ["paragraph", "The tide rises twice a day."],
      ["list_item", "Neap tides are low"],
      ["list_item", "Spring tides are high"],
    ]);
    expect(passages[1]?.bold).toEqual([[4, 8]]);
    expect(passages[2]?.italic).toEqual([[0, 4]]);
    expect(passages[3]?.bold).toEqual([[0, 12]]);
  });

  test("a short line above a longer one is a heading", () => {
    expect(shapes("Causes of the war\n\nThe war had several causes, and trade was one of them.")[0]).toEqual([
      "heading",
      "Causes of the war",
    ]);
  });

  test("notes without blank lines become one fact per line", () => {
    expect(shapes("An isthmus is a strip of land.\nA strait is a strip of water.")).toHaveLength(2);
  });

  test("code keeps its lines and underscores in names are kept", () => {
    expect(shapes("```\nlet a_b_c = 1;\n```\n\nThe variable a_b_c holds one value here.")).toEqual([
      ["code", "let a_b_c = 1;"],
      ["paragraph", "The variable a_b_c holds one value here."],
    ]);
  });

  test.each([
    ["nothing", ""],
    ["spaces", " \n\t\n "],
    ["emoji", "😀".repeat(1000)],
    ["a megabyte of one line", "word ".repeat(200_000)],
    ["a megabyte of one letter", "a".repeat(1_000_000)],
    ["a megabyte of stars", "*".repeat(1_000_000)],
    ["a megabyte of open brackets", "[".repeat(1_000_000)],
    ["a megabyte of underscores and letters", "_a".repeat(500_000)],
  ])("%s is read in time", (_, text) => {
    const startedAt = performance.now();
    for (const passage of passagesFromText(text)) splitSentences(passage.text);
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });
});

test("abbreviations, initials and numbers do not end a sentence", () => {
  const text =
    "The U.S. Senate met with Dr. J. Gray on Jan. 5. He cited E. coli, i.e. a germ, at 3.5 degrees. Was it new? Yes.";
  expect(splitSentences(text).map((s) => s.text)).toEqual([
    "The U.S. Senate met with Dr. J. Gray on Jan. 5.",
    "He cited E. coli, i.e. a germ, at 3.5 degrees.",
    "Was it new?",
    "Yes.",
  ]);
  for (const s of splitSentences(text)) expect(text.slice(s.start, s.end)).toBe(s.text);
});

describe("a title is suggested for a source", () => {
  test("from its first and largest heading, without its number", () => {
    expect(proposeSourceTitle(passagesFromText("## Contents\n\n# Chapter 3: The Water Cycle\n\nWater moves."))).toBe(
      "The Water Cycle",
    );
  });

  test("from its most frequent subject if there is no heading", () => {
    const text =
      "volcanoes erupt when magma rises, and the magma cools into rock that builds volcanoes higher every year. " +
      "Most volcanoes stand where plates meet, where magma forms.";
    expect(proposeSourceTitle(passagesFromText(text))).toBe("Volcanoes and Magma");
  });

  test("none for a source without content", () => {
    expect(
      proposeSourceTitle(passagesFromText("# STATES OF CONSCIOUSNESS\n\nSleep is one of the states of consciousness.")),
    ).toBe("States of consciousness");
    expect(proposeSourceTitle([])).toBe("");
    expect(proposeSourceTitle(passagesFromText("1234 5678"))).toBe("");
  });
});
