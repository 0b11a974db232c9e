// @vitest-environment happy-dom
import { createRequire } from "node:module";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import type { Passage, ReadingState } from "#shared/pdf/schema.ts";
import { openApp, noNetwork, type Answers } from "#tests/kit/browser/web.tsx";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { anAnnotation } from "#tests/store/changes.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { startBufferingKeys } from "#webapp/pdf/viewer/key-buffer.ts";

const LINES = ["Water moves by osmosis is the rule.", "Salt stays.", "The cell wall holds."];

// happy-dom has no workers or range requests, so pdf.js gets the bytes directly.
vi.mock("#webapp/pdf/viewer/pdfjs.ts", async (load) => {
  const actual = await load<object>();
  const { getDocument, GlobalWorkerOptions } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  GlobalWorkerOptions.workerSrc = createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.mjs");
  const bytes = new Uint8Array(await tinyPdf(LINES.map((line) => [line])).arrayBuffer());
  return { ...actual, readDocument: () => getDocument({ data: bytes.slice(), verbosity: 0 }) };
});

// happy-dom has no canvas either.
vi.mock("#webapp/pdf/viewer/render-text-layer.ts", () => ({ renderTextLayer: () => Promise.resolve() }));

const passages = LINES.map((text, index): Passage => ({
  id: `p${index}`,
  text,
  kind: index === 1 ? "code" : "paragraph",
  bold: [],
  italic: [],
  locator: { page: index + 1, rect: [60, 40, 200, 80] },
}));

const component = Component.parse({
  _id: "doc",
  pageId: "page",
  type: "image",
  createdAt: 1,
  modifiedAt: 1,
  createdBy: "",
  lastOpenedAt: null,
  version: 1,
  content: { file: { id: "f.pdf", name: "Cells.pdf" }, url: "/v1/files/f.pdf", title: "Cells" },
});

const reading: ReadingState = {
  state: "ready",
  pageCount: 3,
  textlessPages: 0,
  recognised: 0,
  message: null,
  languages: [],
} as const;

const serverWith = (changes: Answers["pdf"] = {}): Answers => ({
  pages: { getComponent: () => ({ component }) },
  pdf: {
    getReading: () => reading,
    getPassages: () => ({ pageCount: 3, passages }),
    listAnnotations: () => ({ annotations: [] }),
    ...changes,
  },
});

const openText = (address: string, changes?: Answers["pdf"]) => {
  localStorage.setItem("lamplight_pdf_view", "text");
  return openApp(address, { signedIn: true, answers: serverWith(changes) });
};

const shownPage = () => screen.findByRole<HTMLInputElement>("textbox", { name: "Go to page" });

beforeEach(() => localStorage.clear());

test("the page in the address is used only once, and the other view continues at the student's position", async () => {
  await openText("/pdf/doc?page=2");
  const user = userEvent.setup();
  await screen.findByText("The cell wall holds.");
  await user.click(screen.getByRole("button", { name: "Page 3: show as printed" }));
  expect((await shownPage()).value).toBe("3");
});

/** Whether a key pressed on this element is prevented from its default action. */
const isPrevented = (target: Element) => {
  const event = new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true });
  Object.defineProperty(event, "isTrusted", { value: true });
  target.dispatchEvent(event);
  return event.defaultPrevented;
};

test("keys pressed before the text is shown, or in a field, keep their default action", async () => {
  startBufferingKeys();
  const field = document.body.appendChild(document.createElement("textarea"));
  expect([isPrevented(field), isPrevented(document.body)]).toEqual([false, true]);
  field.remove();
  await openText("/pdf/doc");
  await screen.findByText("Salt stays.");
  expect(isPrevented(document.body)).toBe(false);
  expect(document.activeElement?.id).toBe("content");
});

test("a highlight whose quote was trimmed is shown only where it was made", async () => {
  const annotation = anAnnotation("a", "doc", { quote: "osmosis", prefix: "Water moves by ", suffix: "is the rule." });
  await openText("/pdf/doc", { listAnnotations: () => ({ annotations: [annotation] }) });
  await waitFor(() => expect(document.querySelector("[data-passage] [data-mark]")?.textContent).toBe("osmosis"));
});

test("a highlight that ends within a word is shown as whole words", async () => {
  const annotation = anAnnotation("a", "doc", { quote: "moves by osm", prefix: "Water ", suffix: "osis is the rule." });
  await openText("/pdf/doc", { listAnnotations: () => ({ annotations: [annotation] }) });
  await waitFor(() =>
    expect(document.querySelector("[data-passage] [data-mark]")?.textContent).toBe("moves by osmosis"),
  );
});

test("text has the direction of its language, code has its own", async () => {
  await openText("/pdf/doc");
  await screen.findByText("Salt stays.");
  const directions = [...document.querySelectorAll("[data-passage]")].map((passage) => passage.getAttribute("dir"));
  expect(directions).toEqual(["auto", "ltr", "auto"]);
});

test("text that cannot be loaded shows an error with a retry", async () => {
  let isOffline = true;
  await openApp("/pdf/doc", {
    signedIn: true,
    answers: serverWith({ getPassages: () => (isOffline ? noNetwork() : { pageCount: 3, passages }) }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Show text" }));
  await screen.findByText("The text could not be loaded. Showing the pages.");
  expect(localStorage.getItem("lamplight_pdf_view")).toBeNull();
  isOffline = false;
  await user.click(await screen.findByRole("button", { name: "Show text" }));
  await screen.findByText("Salt stays.");
  expect(localStorage.getItem("lamplight_pdf_view")).toBe("text");
});

test("an outline that cannot be loaded shows an error with a retry", async () => {
  let isOffline = true;
  const heading: Passage = { id: "h", text: "Osmosis", kind: "heading", level: 1, bold: [], italic: [], locator: {} };
  await openApp("/pdf/doc", {
    signedIn: true,
    answers: serverWith({ getPassages: () => (isOffline ? noNetwork() : { pageCount: 3, passages: [heading] }) }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Cards and notes" }));
  await user.click(await screen.findByRole("tab", { name: "Outline" }));
  await screen.findByText("The outline could not be loaded.");
  expect(screen.queryByText("This document has no outline.")).toBeNull();
  isOffline = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Osmosis");
});

test("a scan shows its pages before its passages have arrived, and offers no text", async () => {
  await openText("/pdf/doc", {
    getReading: () => ({ ...reading, state: "needs_ocr", textlessPages: 3 }),
    getPassages: () => new Promise(() => undefined),
  });
  await shownPage();
  expect(screen.queryByRole("button", { name: "Show text" })).toBeNull();
});

test("a page after the last text opens the text at its end", async () => {
  const scrolled: (string | undefined)[] = [];
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: HTMLElement) {
    scrolled.push(this.dataset["passage"]);
  });
  await openText("/pdf/doc?page=3", { getPassages: () => ({ pageCount: 3, passages: passages.slice(0, 2) }) });
  await waitFor(() => expect(scrolled).toContain("1"));
  scroll.mockRestore();
});

test("a citation of the document that is open scrolls to its passage, and so does the same citation again", async () => {
  const citation = "/pdf/doc?page=3&quote=The%20cell%20wall";
  await openText("/pdf/doc");
  await screen.findByText("Salt stays.");
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => undefined);
  const shown = () => scroll.mock.contexts.map((element) => (element as Element).textContent);
  goTo(citation);
  await waitFor(() => expect(shown()).toEqual(["The cell wall"]));
  goTo(citation);
  await waitFor(() => expect(shown()).toEqual(["The cell wall", "The cell wall"]));
  scroll.mockRestore();
  await userEvent.setup().click(screen.getByRole("button", { name: "Page 2: show as printed" }));
  expect((await shownPage()).value).toBe("2");
  goTo(citation);
  await waitFor(async () => expect((await shownPage()).value).toBe("3"));
});

test("the find keys work in the text, and closing the search returns to it", async () => {
  await openText("/pdf/doc");
  const user = userEvent.setup();
  await screen.findByText("Salt stays.");
  await user.keyboard("/");
  await user.type(await screen.findByRole("searchbox"), "wall{Escape}");
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(document.activeElement?.id).toBe("content");
  await user.keyboard("{Control>}f{/Control}");
  await screen.findByRole("searchbox");
});
