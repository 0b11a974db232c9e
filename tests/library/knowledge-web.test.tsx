// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { KnowledgeSource } from "#shared/library/knowledge.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { noNetwork, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const scan: KnowledgeSource = {
  componentId: "scan",
  pageId: "genes",
  pageTitle: "Genes",
  title: "Old notes",
  kind: "pdf",
  sizeBytes: 2_500_000,
  durationMs: null,
  spoken: null,
  createdAt: 2,
  openedAt: null,
  decks: [{ componentId: "deck", pageId: "genes", title: "Key terms", cards: 12 }],
  highlights: 2,
  notes: 1,
  pictures: 0,
};
const film: KnowledgeSource = {
  ...scan,
  componentId: "film",
  title: "Lecture 9",
  kind: "video",
  durationMs: 247_000,
  spoken: { state: "none", message: null },
  decks: [],
  highlights: 0,
  notes: 0,
};

const reading = (state: ReadingState["state"], more: Partial<ReadingState> = {}): ReadingState => ({
  state,
  pageCount: 4,
  textlessPages: 4,
  recognised: 0,
  message: null,
  languages: ["eng"],
  ...more,
});

const answers = (more: Answers = {}): Answers => ({
  library: { listSources: () => ({ sources: [scan, film] }) },
  pdf: { getReading: () => reading("needs_ocr"), recogniseText: () => reading("waiting") },
  ...more,
});

test("each source shows its kind, the student's progress, and what was made from it", async () => {
  await openApp("/knowledge", { signedIn: true, answers: answers() });
  const row = (await screen.findByRole("link", { name: "Old notes" })).closest("li") as HTMLElement;
  expect(within(row).getByText("PDF · 2.4 MB · on Genes")).toBeTruthy();
  expect(await within(row).findByText(/^Text in images not recognised yet · 4 pages$/)).toBeTruthy();
  expect(within(row).getByRole("link", { name: "Key terms: 12 cards" }).getAttribute("href")).toBe(
    "/page/genes/study/deck",
  );
  expect(within(row).getByRole("link", { name: "2 highlights" }).getAttribute("href")).toBe("/pdf/scan");
  expect(within(row).getByRole("link", { name: "1 note" }).getAttribute("href")).toBe("/pdf/scan");
  const other = screen.getByRole("link", { name: "Lecture 9" }).closest("li") as HTMLElement;
  expect(within(other).getByText(/Video · 2\.4 MB · 4:07/)).toBeTruthy();
  expect(within(other).getByText("No transcript yet")).toBeTruthy();
  expect(within(other).getByText("Nothing made from it yet")).toBeTruthy();
});

test("text recognition can be requested in the row, which then shows it as pending", async () => {
  const { calls } = await openApp("/knowledge", { signedIn: true, answers: answers() });
  await userEvent.click(await screen.findByRole("button", { name: "Recognise text in Old notes" }));
  expect(await screen.findByText(/^Text recognition is queued/)).toBeTruthy();
  expect(calls.filter((call) => call === "pdf.recogniseText")).toHaveLength(1);
});

test("an unreadable source shows the reason and can be tried again", async () => {
  const message = "This PDF is protected by a password. Please remove the password and upload it again.";
  const pdf = { getReading: () => reading("failed", { message, textlessPages: 0 }) };
  await openApp("/knowledge", { signedIn: true, answers: answers({ pdf }) });
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Check Old notes again" })).toBeTruthy();
});

test("a scan whose text recognition failed can be retried from its row", async () => {
  const pdf = { getReading: () => reading("failed"), recogniseText: () => reading("waiting") };
  const { calls } = await openApp("/knowledge", { signedIn: true, answers: answers({ pdf }) });
  await userEvent.click(await screen.findByRole("button", { name: "Try again: recognise text in Old notes" }));
  expect(await screen.findByText(/^Text recognition is queued/)).toBeTruthy();
  expect(calls).toContain("pdf.recogniseText");
});

test("a video in transcription shows its state, and one refused by YouTube the reason", async () => {
  const message = "This video is private. YouTube shows it only to people the owner has invited.";
  const sources = [
    { ...film, spoken: { state: "transcribing" as const, message: null } },
    {
      ...film,
      componentId: "other",
      title: "Lecture 10",
      pageTitle: "Lecture 10",
      spoken: { state: "refused" as const, message },
    },
  ];
  await openApp("/knowledge", { signedIn: true, answers: answers({ library: { listSources: () => ({ sources }) } }) });
  expect(await screen.findByText("Transcribing")).toBeTruthy();
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.getByText("Video · 2.4 MB · 4:07")).toBeTruthy();
});

test("the list can be filtered by kind and by words", async () => {
  await openApp("/knowledge", { signedIn: true, answers: answers() });
  await userEvent.click(await screen.findByRole("radio", { name: "Videos" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Old notes" })).toBeNull());
  await userEvent.type(screen.getByRole("searchbox", { name: "Filter by title" }), "xyz");
  expect(await screen.findByText("No matches")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Clear filter" }));
  expect(await screen.findByRole("link", { name: "Old notes" })).toBeTruthy();
});

test.each([
  ["without a source", { listSources: () => ({ sources: [] }) }, "No sources yet"],
  ["without a network", { listSources: noNetwork }, "You are offline"],
  ["when the server fails", { listSources: () => refuse("broken", "") }, "Your sources could not be loaded"],
])("%s the screen shows a message", async (_when, library, words) => {
  await openApp("/knowledge", { signedIn: true, answers: answers({ library }) });
  expect(await screen.findByText(words)).toBeTruthy();
});
