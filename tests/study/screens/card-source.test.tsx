// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { CardSource } from "#webapp/flashcards/card-source.tsx";

afterEach(cleanup);

test("while studying, the citation of a web page opens it in a new tab, at the quoted words", () => {
  render(<CardSource citation="web_citation:example.org/code:degenerate" sources={new Map()} />);
  const link = screen.getByRole("link", { name: "example.org of example.org/code: open source" });
  expect(link.getAttribute("href")).toBe("https://example.org/code?utm_source=lamplight#:~:text=degenerate");
  expect(link.getAttribute("target")).toBe("_blank");
});
