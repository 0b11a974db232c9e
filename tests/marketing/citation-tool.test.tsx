// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tools } from "#shared/messages/en/public/tools.ts";
import { CitationTool } from "#webapp/marketing/citations/citation-tool.tsx";
import type { CitationResult, CitationTask } from "#webapp/marketing/citations/citation-worker.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

/** Formats each source as its title, because the test environment has no workers. */
class TitleWorker extends EventTarget {
  postMessage({ id, items }: CitationTask): void {
    const list = items.map(({ id: itemId, title = "" }) => ({ itemId, html: String(title), inText: "" }));
    const data = { id, list } as CitationResult;
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {
    // There is no worker to end.
  }
}

const BIBTEX = "@book{origin, title = {On the Origin of Species}, author = {Darwin, Charles}}";
let answerLookup: (response: Response) => void = () => undefined;

beforeEach(() => {
  const lookedUp = new Promise<Response>((resolve) => {
    answerLookup = resolve;
  });
  setToolWords(tools, "en");
  vi.stubGlobal("Worker", TitleWorker);
  // The list of lookup kinds cannot be fetched.
  vi.stubGlobal("fetch", (url: string) =>
    url.endsWith("/lookup") ? lookedUp : Promise.reject(new TypeError("no network")),
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const source = () => screen.findByRole("textbox", { name: "DOI, ISBN, web address, BibTeX or RIS" });

test("typed text stays when a looked-up source arrives and when another source is removed", async () => {
  const user = userEvent.setup();
  render(<CitationTool />);
  await user.type(await source(), "10.1038/171737a0{Enter}");
  const title = screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });
  await user.type(title, "Half a ti");
  answerLookup(Response.json({ reference: { type: "article-journal", title: "Molecular Structure" } }));
  expect(await screen.findByText(/^Added to the list\. Check it/)).toBeDefined();
  expect(document.activeElement).toBe(title);
  await user.click(await screen.findByRole("button", { name: "Remove Molecular Structure" }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("Half a ti");
  await user.click(screen.getByRole("button", { name: "Add to the list" }));
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("");
});

test("a pasted entry is not reported as incomplete, and removing it while it is edited closes its form", async () => {
  const user = userEvent.setup();
  render(<CitationTool />);
  await user.click(await source());
  await user.paste(BIBTEX);
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Added to the list.")).toBeDefined();
  await user.click(await screen.findByRole("button", { name: "Edit On the Origin of Species" }));
  expect(screen.getByRole("heading", { name: "Edit the source" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Remove On the Origin of Species" }));
  expect(screen.getByRole("heading", { name: "Or fill it in by hand" })).toBeDefined();
});

test("the list is printed with a button, which is off while there is nothing to print", async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal("print", print);
  const user = userEvent.setup();
  render(<CitationTool />);
  const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Print" });
  expect(button().disabled).toBe(true);
  await user.click(await source());
  await user.paste(BIBTEX);
  await user.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Remove On the Origin of Species" });
  await user.click(button());
  expect(print).toHaveBeenCalledOnce();
});
