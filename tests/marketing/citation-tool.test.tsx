// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tools } from "#shared/messages/en/public/tools.ts";
import { CitationTool } from "#webapp/marketing/citations/citation-tool.tsx";
import type { CitationResult, CitationTask } from "#webapp/marketing/citations/citation-worker.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

/** Formats each source as its title, because the test environment has no workers. */
class TitleWorker extends EventTarget {
  postMessage(task: CitationTask): void {
    this.dispatchEvent(new MessageEvent("message", { data: this.format(task) }));
  }
  protected format({ id, items }: CitationTask): CitationResult {
    const list = items.map(({ id: itemId, title = "" }) => ({ itemId, html: String(title), inText: "" }));
    return { id, list } as CitationResult;
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

const titles = () => [...document.querySelectorAll(".citation-entry")].map(({ textContent }) => textContent);
const titleField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });

async function addByHand(user: ReturnType<typeof userEvent.setup>, title: string): Promise<void> {
  await user.type(titleField(), title);
  await user.click(screen.getByRole("button", { name: "Add to the list" }));
}

/** What the browser does in this tab when another tab has stored its list. */
function storeInOtherTab(list: unknown): void {
  localStorage.setItem("lamplight_references", JSON.stringify(list));
  window.dispatchEvent(new StorageEvent("storage", { key: "lamplight_references" }));
}

test("two tabs add to one list", async () => {
  const user = userEvent.setup();
  render(<CitationTool />);
  await addByHand(user, "Origin");
  // Neither tab has received the other tab's source yet.
  const stored = JSON.parse(localStorage.getItem("lamplight_references") ?? "[]") as unknown[];
  localStorage.setItem(
    "lamplight_references",
    JSON.stringify([...stored, { id: "other", type: "book", title: "Zoonomia" }]),
  );
  await addByHand(user, "Beagle");
  expect(titles()).toEqual(["Origin", "Zoonomia", "Beagle"]);
});

test("a list that another tab changed is shown, and an edited source that it removed is kept", async () => {
  const user = userEvent.setup();
  render(<CitationTool />);
  await addByHand(user, "Origin");
  await user.click(screen.getByRole("button", { name: "Edit Origin" }));
  storeInOtherTab([{ id: "other", type: "book", title: "Zoonomia" }]);
  await waitFor(() => expect(titles()).toEqual(["Zoonomia"]));
  await user.type(titleField(), " of Species");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect(titles()).toEqual(["Zoonomia", "Origin of Species"]);
});

test("a half-typed source and half-made changes are still there after editing another source", async () => {
  const user = userEvent.setup();
  render(<CitationTool />);
  await addByHand(user, "Origin");
  await addByHand(user, "Zoonomia");
  await user.type(titleField(), "Half a ti");
  await user.click(screen.getByRole("button", { name: "Edit Origin" }));
  await user.type(titleField(), " of Sp");
  await user.click(screen.getByRole("button", { name: "Edit Zoonomia" }));
  expect(titleField().value).toBe("Zoonomia");
  await user.click(screen.getByRole("button", { name: "Edit Origin" }));
  expect(titleField().value).toBe("Origin of Sp");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(titleField().value).toBe("Half a ti");
  await user.click(screen.getByRole("button", { name: "Edit Origin" }));
  expect(titleField().value).toBe("Origin");
});

test.each(["null", "{}", "[null,1]", '[{"id":"a","type":"scroll"}]', "["])("the tool opens with %s stored", (text) => {
  localStorage.setItem("lamplight_references", text);
  render(<CitationTool />);
  expect(screen.getByText(/^Paste a source above/)).toBeDefined();
});

test("without storage, the list lasts as long as the page is open", async () => {
  const refuse = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const user = userEvent.setup();
  render(<CitationTool />);
  await addByHand(user, "Origin");
  await addByHand(user, "Zoonomia");
  expect(titles()).toEqual(["Origin", "Zoonomia"]);
  refuse.mockRestore();
});

/** A worker whose file cannot be loaded. */
class MissingWorker extends EventTarget {
  postMessage(): void {
    this.dispatchEvent(new Event("error"));
  }
  terminate(): void {
    // There is no worker to end.
  }
}

/** A worker that cannot load the style the first time. */
class StylelessWorker extends TitleWorker {
  #tries = 0;
  protected override format(task: CitationTask): CitationResult {
    this.#tries += 1;
    return this.#tries > 1 ? super.format(task) : { id: task.id, list: [], failed: true };
  }
}

test.each([
  ["the worker", MissingWorker],
  ["the style", StylelessWorker],
])("without %s, the sources are listed and exported without a style, and it can be tried again", async (_, Failing) => {
  vi.stubGlobal("Worker", Failing);
  const user = userEvent.setup();
  render(<CitationTool />);
  await user.type(screen.getByRole("textbox", { name: "Authors, one per line" }), "Johnson & Sons");
  await addByHand(user, "Origin");
  expect(titles()).toEqual(["Johnson & Sons. Origin."]);
  expect(screen.getByText(/^The style could not be loaded/)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "BibTeX" }).disabled).toBe(false);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "RIS" }).disabled).toBe(false);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Copy list" }).disabled).toBe(true);
  expect(screen.getByRole("button", { name: "Edit Origin" })).toBeDefined();
  // A worker that was not loaded is made again.
  vi.stubGlobal("Worker", TitleWorker);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(titles()).toEqual(["Origin"]);
});

const printButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Print" });

test("the list is printed with a button, which is off while there is nothing to print", async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal("print", print);
  const user = userEvent.setup();
  render(<CitationTool />);
  expect(printButton().disabled).toBe(true);
  await user.click(await source());
  await user.paste(BIBTEX);
  await user.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Remove On the Origin of Species" });
  await user.click(printButton());
  expect(print).toHaveBeenCalledOnce();
});
