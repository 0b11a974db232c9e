// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ComponentSummary } from "#shared/pages/schema.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";

const ground = { kind: "chosen" as const, pageIds: [], componentIds: ["pdf-1"] };
const base = { citations: [], followUps: [], error: null, mode: "explain" as const, ground, selection: null };
const thread = { _id: "thread-1", title: "Codons", createdAt: 1, updatedAt: 1, archived: false, archivedAt: null };

test("beside a page, the sources of a reopened conversation are named", async () => {
  localStorage.setItem(`lamplight_tutor_${ada._id}_page-1`, "thread-1");
  const file = { type: "image", title: "Lecture 9", pageId: "page-1", createdAt: 1, modifiedAt: 1, isArchived: false };
  const component = ComponentSummary.parse({ ...file, _id: "pdf-1", lastOpenedAt: null, fileId: "pdf-1.pdf" });
  const question = { _id: "m1", threadId: "thread-1", parent: null, role: "user" as const, text: "What is a codon?" };
  const answer = { ...question, _id: "m2", parent: "m1", role: "assistant" as const, text: "" };
  await openApp("/page/page-1", {
    signedIn: true,
    answers: {
      pages: {
        getPage: () => ({ page: listedPage("page-1", "Biology"), components: [] }),
        getContent: () => ({
          content: { pages: [listedPage("page-1", "Biology")], components: [component], podcasts: [] },
        }),
      },
      tutor: {
        listModels: () => ({ models: [{ id: "a", name: "A", description: "" }], defaultModel: "a" }),
        listThreads: () => ({ threads: [] }),
        getThread: () => ({
          thread: { ...thread, head: "m2", mode: "explain", ground },
          messages: [
            { ...question, ...base, status: "done", model: null, createdAt: 1 },
            { ...answer, ...base, status: "stopped", model: "a", createdAt: 2 },
          ],
        }),
      },
    },
  });
  await screen.findByText("Stopped.", {}, { timeout: 10_000 });
  expect((await screen.findAllByText("Lecture 9")).length).toBeGreaterThan(0);
});
