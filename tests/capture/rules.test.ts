import { expect, test } from "vitest";
import {
  normaliseAddress,
  pageOfAddress,
  webCitationLocation,
  parsePageRange,
  textBetween,
} from "#shared/capture/rules.ts";

test.each([
  ["https://Example.org:443/a?utm_source=x&b=1#part", "https://example.org/a?b=1"],
  ["https://ada:secret@example.org/", "https://example.org/"],
  ["https://example.org/#/lectures/9", "https://example.org/#/lectures/9"],
  ["https://youtu.be/abc?si=tracked", "https://youtu.be/abc"],
  ["https://youtu.be/PLANTS_0001?t=90", "https://www.youtube.com/watch?v=PLANTS_0001"],
  ["https://m.youtube.com/watch?list=a&v=PLANTS_0001&t=4s", "https://www.youtube.com/watch?v=PLANTS_0001"],
  ["https://www.youtube.com/shorts/PLANTS_0001", "https://www.youtube.com/watch?v=PLANTS_0001"],
])("normalises %s to %s", (address, normal) => {
  expect(normaliseAddress(address)).toBe(normal);
});

test.each(["chrome://settings", "about:blank", "not an address", "javascript:alert(1)"])(
  "%s is not a page address",
  (address) => {
    expect(normaliseAddress(address)).toBeUndefined();
  },
);

test("a web citation contains host and path", () => {
  expect(webCitationLocation("https://example.org/a?b=1")).toBe("example.org/a");
});

test.each([
  ["https://example.org/a.pdf#page=7", 7],
  ["https://example.org/a.pdf#zoom=50&page=12", 12],
  ["https://example.org/a.pdf#page=0", undefined],
  ["https://example.org/a.pdf#subpage=3", undefined],
  ["https://example.org/a.pdf?page=3", undefined],
])("reads from %s the page %s", (address, page) => {
  expect(pageOfAddress(address)).toBe(page);
});

test.each([
  ["3-7", { from: 3, to: 7 }],
  [" 7 – 3 ", { from: 3, to: 7 }],
  ["5", { from: 5, to: 5 }],
  ["0-2", undefined],
  ["two", undefined],
  ["1-2-3", undefined],
])("parses the page range %s", (text, range) => {
  expect(parsePageRange(text)).toEqual(range);
});

test("the text of a time range consists of the lines that overlap it, with their own times", () => {
  const lines = [
    { startMs: 0, endMs: 1000, text: "One." },
    { startMs: 1000, endMs: 2000, text: "Two." },
    { startMs: 2000, endMs: 3000, text: "Three." },
  ];
  expect(textBetween(lines, 1500, 2500)).toEqual({ text: "Two. Three.", startMs: 1000, endMs: 3000 });
  expect(textBetween(lines, 5000, 6000)).toBeUndefined();
});
