import { expect, test } from "vitest";
import { normalAddress, placeOfAddress } from "#shared/capture/rules.ts";

test.each([
  ["https://Example.org:443/a?utm_source=x&b=1#part", "https://example.org/a?b=1"],
  ["https://ada:secret@example.org/", "https://example.org/"],
  ["https://example.org/#/lectures/9", "https://example.org/#/lectures/9"],
  ["https://youtu.be/abc?si=tracked", "https://youtu.be/abc"],
])("%s is known as %s", (address, normal) => {
  expect(normalAddress(address)).toBe(normal);
});

test.each(["chrome://settings", "about:blank", "not an address", "javascript:alert(1)"])("%s is no page", (address) => {
  expect(normalAddress(address)).toBeUndefined();
});

test("a citation of the web carries host and path", () => {
  expect(placeOfAddress("https://example.org/a?b=1")).toBe("example.org/a");
});
