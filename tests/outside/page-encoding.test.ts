import { expect, test } from "vitest";
import { findEncoding } from "#api/outside/page-encoding.ts";
import { toPageReference } from "#api/marketing/references/page-metadata.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const CAFE = "<p>Caf\u00E9</p>";
const meta = (charset: string) => `<meta charset="${charset}">`;

test.each([
  ["the label of the server", "text/html; charset=windows-1251", latin1(CAFE), "windows-1251"],
  ["the label of the page", "text/html", latin1(`${meta("koi8-r")}${CAFE}`), "koi8-r"],
  ["the server before the page", "text/html; charset=gbk", latin1(`${meta("koi8-r")}${CAFE}`), "gbk"],
  ["a byte order mark before both", "text/html; charset=gbk", Buffer.from(`\uFEFF${meta("koi8-r")}`), "utf-8"],
  ["a byte order mark of UTF-16", "text/html", Buffer.from("\uFEFF<p>", "utf16le"), "utf-16le"],
  ["UTF-8 in spite of a single-byte label", "text/html; charset=iso-8859-1", Buffer.from(CAFE), "utf-8"],
  ["UTF-8 where a page in ASCII says UTF-16", "text/html", latin1(`${meta("utf-16")}${CAFE}`), "utf-8"],
  ["UTF-16 where the server says so", "text/html; charset=utf-16le", Buffer.from(CAFE, "utf16le"), "utf-16le"],
  ["no label that is known", "text/html; charset=x-klingon", latin1(CAFE), undefined],
  ["no label", "text/html", latin1(`${CAFE} charset=gbk`), undefined],
])("the encoding of a page: %s", (_, contentType, bytes, encoding) => {
  expect(findEncoding(contentType, bytes)).toBe(encoding);
});

test("the details of a page are read in its encoding", () => {
  const page = latin1(`<head>${meta("iso-8859-1")}<title>Caf\u00E9</title></head>`);
  const found = toPageReference(page, { url: "https://example.org/", contentType: "text/html" });
  expect(JSON.stringify(found)).toContain("Caf\u00E9");
});
