// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tools } from "#shared/messages/en/public/tools.ts";
import { CitationList } from "#webapp/marketing/citations/citation-list.tsx";
import type { CitationTask } from "#webapp/marketing/citations/citation-worker.ts";
import { SchedulePlan } from "#webapp/marketing/schedule/schedule-plan.tsx";
import { emptyForm, toRequest } from "#webapp/marketing/schedule/schedule-state.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

/** Formats each source as its title, because the test environment has no workers. */
class TitleWorker extends EventTarget {
  postMessage({ id, items }: CitationTask): void {
    const list = items.map(({ id: itemId, title }) => ({ itemId, html: `<i>${String(title)}</i>`, inText: "" }));
    this.dispatchEvent(new MessageEvent("message", { data: { id, list, failed: false } }));
  }
  terminate(): void {
    // There is no worker to end.
  }
}

beforeEach(() => {
  setToolWords(tools, "en");
  vi.stubGlobal("Worker", TitleWorker);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Sets up a student whose browser has no clipboard, as on a page without HTTPS. */
function setUpWithoutClipboard() {
  const user = userEvent.setup();
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  return user;
}

/** The text that is shown selected, to be copied with the keyboard. */
async function selectedText(): Promise<string> {
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: tools.copy_failed });
  expect(document.activeElement).toBe(field);
  return field.value.slice(field.selectionStart, field.selectionEnd);
}

const ignore = () => undefined;

test("without a clipboard, the reference list is shown selected", async () => {
  const user = setUpWithoutClipboard();
  const references = ["Origin", "Zoonomia"].map((title) => ({ id: title, type: "book" as const, title }));
  const props = { references, style: "apa" as const, revealed: 0, edit: ignore, remove: ignore };
  render(<CitationList {...props} />);
  await user.click(screen.getByRole("button", { name: "Copy list" }));
  expect(await selectedText()).toBe("Origin\nZoonomia");
  expect(screen.queryByText("Copied.")).toBeNull();
});

test("without a clipboard, the link of a study plan is shown selected", async () => {
  const user = setUpWithoutClipboard();
  const form = {
    ...emptyForm,
    start: "2026-11-23",
    exams: [{ name: "Biology", exam: "2026-12-07", topics: "Cells" }],
  };
  render(<SchedulePlan form={form} request={toRequest(form)} />);
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  expect(await selectedText()).toContain("#start=2026-11-23&name=Biology");
});
