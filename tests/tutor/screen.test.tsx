// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { buildPage } from "#shared/pages/present.ts";
import { v1 } from "#shared/contract/v1.ts";
import { queue } from "#webapp/offline/sync.ts";
import { SyncRequest, type SyncRequestOf } from "#shared/sync/schema.ts";
import { plainPhrase } from "#shared/tutor/phrases.ts";
import type { Message, Thread } from "#shared/tutor/schema.ts";
import { setTransport } from "#webapp/app/client.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";
import { tutorSelectionAtom } from "#webapp/tutor/tutor-selection.ts";
import { aMessage } from "#tests/kit/tutor.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { type Answers, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

afterEach(() => cleanup());

const everything = { kind: "everything" } as const;
const aThread = (id: string, more: Partial<Thread> = {}): Thread => ({
  _id: id,
  title: `About ${id}`,
  createdAt: 1,
  updatedAt: 1,
  archived: false,
  archivedAt: null,
  head: null,
  mode: "explain",
  ground: everything,
  ...more,
});

const messageAt = (n: number): Message =>
  aMessage({
    _id: `message-${n}`,
    threadId: "thread-1",
    parent: n === 0 ? null : `message-${n - 1}`,
    role: n % 2 === 0 ? "user" : "assistant",
    text: `What was said as number ${n}.`,
    ground: everything,
    createdAt: n + 1,
  });

function openChat(thread: Thread, messages: Message[], threads = [thread], more: Answers["tutor"] = {}) {
  const request = SyncRequest.parse({
    id: "0123456789",
    clientId: "a",
    seq: 1,
    createdAt: 1,
    type: "page_create",
    resourceId: "page-1",
    data: { title: "Genes", createdAt: 1 },
  }) as SyncRequestOf<"page_create">;
  const pages = [buildPage(request, "ada")];
  return openApp(`/chat?thread=${thread._id}`, {
    signedIn: true,
    answers: {
      pages: { getContent: () => ({ content: { pages, components: [], podcasts: [] } }) },
      tutor: {
        listModels: () => ({ models: [{ id: "a", name: "A", description: "" }], defaultModel: "a" }),
        listThreads: () => ({ threads }),
        getThread: () => ({ thread, messages }),
        ...more,
      },
    },
  });
}

test("a reopened conversation continues with its options and sources", async () => {
  const ground = { kind: "chosen" as const, pageIds: ["page-1", "page-gone"], componentIds: [] };
  await openChat(aThread("thread-1", { mode: "quiz", ground, head: "message-1" }), [messageAt(0), messageAt(1)]);
  expect(await screen.findByRole("button", { name: "Quiz me: Answer mode" })).toBeTruthy();
  const sources = screen.getByRole("list", { name: "Sources" });
  expect(within(sources).getByText("Genes")).toBeTruthy();
  expect(within(sources).getByText("Deleted source")).toBeTruthy();
});

test("without a page beside it, the question field names the one chosen source", async () => {
  const ground = { kind: "chosen" as const, pageIds: ["page-1"], componentIds: [] };
  await openChat(aThread("thread-1", { ground, head: "message-1" }), [messageAt(0), messageAt(1)]);
  expect(await screen.findByPlaceholderText("Ask about Genes…")).toBeTruthy();
});

test("of two thousand messages the last are rendered, and earlier ones on request", async () => {
  const all = Array.from({ length: 2000 }, (_, n) => messageAt(n));
  await openChat(aThread("thread-1", { head: "message-1999" }), all);
  expect(await screen.findByText("What was said as number 1999.")).toBeTruthy();
  expect(screen.queryByText("What was said as number 1899.")).toBeNull();
  await userEvent.click(screen.getByText("Show earlier messages"));
  expect(screen.getByText("What was said as number 1800.")).toBeTruthy();
});

test("of five hundred conversations the latest are listed, and older ones on request or by search", async () => {
  const threads = Array.from({ length: 500 }, (_, n) => aThread(`number ${n}.`));
  await openChat(aThread("thread-1"), [], threads);
  expect(await screen.findByText("About number 99.")).toBeTruthy();
  expect(screen.queryByText("About number 100.")).toBeNull();
  await userEvent.click(screen.getByText("Show older conversations"));
  expect(screen.getByText("About number 199.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Search conversations"), { target: { value: "number 470." } });
  expect(screen.getByText("About number 470.")).toBeTruthy();
});

test("a deleted conversation can be restored, or deleted permanently after confirmation", async () => {
  const calls: string[] = [];
  const gone = ["one", "two"].map((id) => aThread(id, { archived: true, archivedAt: 1 }));
  await openChat(aThread("thread-1"), [], [aThread("thread-1")], {
    listThreads: ({ archived }) => ({ threads: archived === "true" ? gone : [] }),
    changeThread: ({ archived }) => {
      calls.push(archived === false ? "restore" : "other");
      gone.splice(0, 1);
      return aThread("one");
    },
    deleteThread: () => {
      calls.push("delete");
      return { success: true };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Deleted conversations" }));
  await userEvent.click(await screen.findByRole("button", { name: "Restore “About one”" }));
  await waitFor(() => expect(screen.queryByText("About one")).toBeNull());
  await userEvent.click(await screen.findByRole("button", { name: "Delete “About two” permanently" }));
  expect(calls).toEqual(["restore"]);
  await userEvent.click(await screen.findByRole("button", { name: "Delete permanently" }));
  await waitFor(() => expect(calls).toEqual(["restore", "delete"]));
});

const field = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Your question" });

test("an unfinished or refused question is restored after a reload", async () => {
  await openChat(aThread("thread-1"), []);
  await userEvent.type(await field(), "What does a rib");
  cleanup();
  await openChat(aThread("thread-1"), []);
  expect((await field()).value).toBe("What does a rib");
  // The answer never arrives.
  await userEvent.type(await field(), "osome read?{Enter}");
  await waitFor(async () => expect((await field()).value).toBe("What does a ribosome read?"));
  cleanup();
  await openChat(aThread("thread-1"), []);
  expect((await field()).value).toBe("What does a ribosome read?");
  await userEvent.clear(await field());
  cleanup();
  await openChat(aThread("thread-1"), []);
  expect((await field()).value).toBe("");
});

test("if the sources lack an answer, the student can ask all material, search, or start research", async () => {
  const ground = { kind: "chosen" as const, pageIds: ["page-1"], componentIds: [] };
  const key = "nothing";
  const text = "Your sources do not say. Nothing in them is about this.";
  const refusal = { ...messageAt(1), ground, text, parts: [{ type: "phrase" as const, key, params: {}, text }] };
  const asked: unknown[] = [];
  const asksAbout = { ...messageAt(0), ground, mode: "quiz" as const, selection: { text: "a codon", page: 3 } };
  await openChat(aThread("thread-1", { ground, head: "message-1" }), [asksAbout, refusal], undefined, {
    ask: ({ text: question, ground: scope, mode, selection }) => {
      asked.push({ question, scope, mode, selection });
      return [];
    },
  });
  const search = await screen.findByRole("link", { name: "Search your material" });
  const question = "What was said as number 0.";
  expect(search.getAttribute("href")).toBe(`/search?q=${encodeURIComponent(question)}`);
  const research = screen.getByRole("link", { name: "Research this question" });
  expect(research.getAttribute("href")).toBe(`/research?q=${encodeURIComponent(question)}`);
  // It offers no card and no quiz.
  expect(screen.queryByRole("button", { name: "Make a card" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Ask all your material" }));
  await waitFor(() => expect(asked[0]).toMatchObject({ question, scope: everything }));
  // The same question is asked again, whatever the composer is set to.
  expect(asked[0]).toMatchObject({ mode: asksAbout.mode, selection: asksAbout.selection });
});

test("suggested questions about a heading show their topic, and ask the whole question", async () => {
  const part = plainPhrase("follow_up", { heading: "Pre-mRNA splicing" });
  const asked: unknown[] = [];
  const answer = { ...messageAt(1), followUps: [part.text], followUpParts: [part] };
  await openChat(aThread("thread-1", { head: "message-1" }), [messageAt(0), answer], undefined, {
    ask: ({ text }) => {
      asked.push(text);
      return [];
    },
  });
  const suggested = await screen.findByRole("button", { name: "What do my sources say about “Pre-mRNA splicing”?" });
  expect(suggested.textContent).toBe("Pre-mRNA splicing");
  await userEvent.click(suggested);
  await waitFor(() => expect(asked).toEqual(["What do my sources say about “Pre-mRNA splicing”?"]));
});

test("an empty conversation offers the pages opened last, and the question then asks about the chosen one", async () => {
  await openChat(aThread("thread-1"), []);
  await userEvent.click(await screen.findByRole("button", { name: "Ask about Genes" }));
  const question = await screen.findByPlaceholderText("Ask about Genes…");
  expect(document.activeElement).toBe(question);
  expect(screen.queryByRole("button", { name: "Ask about Genes" })).toBeNull();
});

test("after Quiz me, the next words typed are the answer to the question", async () => {
  const asked: unknown[] = [];
  await openChat(aThread("thread-1"), [], undefined, {
    ask: (sent) => {
      asked.push(sent["text"]);
      const message = aMessage({ _id: String(sent["answerId"]), mode: "quiz" });
      return [{ type: "done", seq: 1, message, title: "" }];
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Quiz me" }));
  expect(document.activeElement).toBe(await screen.findByPlaceholderText("Your answer…"));
  await screen.findByRole("button", { name: "Ask" });
  await userEvent.keyboard("a codon{Enter}");
  await waitFor(() => expect(asked).toEqual(["Quiz me on this", "a codon"]));
});

test("an edited question stays in its field while another answer is being written", async () => {
  await openChat(aThread("thread-1", { head: "message-1" }), [messageAt(0), messageAt(1)], undefined, {
    // The answer never arrives.
    ask: () => new Promise(() => undefined),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Edit question" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Edit question" }), " And why?");
  await userEvent.type(await field(), "What is turgor?{Enter}");
  await screen.findByRole("button", { name: "Stop" });
  await userEvent.click(screen.getByRole("button", { name: "Ask again" }));
  const edited = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit question" });
  expect(edited.value).toBe("What was said as number 0. And why?");
});

test("a question in a conversation that could not be loaded returns to the field and is not sent", async () => {
  const asked: unknown[] = [];
  await openChat(aThread("thread-1"), [], undefined, {
    getThread: () => refuse("broken", "No"),
    ask: (sent) => {
      asked.push(sent);
      return [];
    },
  });
  await screen.findByRole("button", { name: "Try again" });
  await userEvent.type(await field(), "What is turgor?{Enter}");
  await waitFor(async () => expect((await field()).value).toBe("What is turgor?"));
  expect(asked).toEqual([]);
});

test("text selected on one page is not asked about on the next page", async () => {
  const pages = ["page-1", "page-2"].map((id) => listedPage(id, `About ${id}`));
  let page = pages[0];
  await openApp("/page/page-1", {
    signedIn: true,
    answers: {
      pages: {
        getContent: () => ({ content: { pages, components: [], podcasts: [] } }),
        getPage: () => ({ page: page ?? listedPage("page-1", ""), components: [] }),
      },
    },
  });
  await screen.findByRole("textbox", { name: "Page title" });
  act(() => store.set(tutorSelectionAtom, { text: "A codon has three nucleotides." }));
  await screen.findByText(/A codon has three nucleotides/u);
  page = pages[1];
  act(() => goTo("/page/page-2"));
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Page title" }).value).toBe("About page-2"),
  );
  await field();
  expect(screen.queryByText(/A codon has three nucleotides/u)).toBeNull();
});

test("closing the source chooser aborts its upload, whose file is deleted and not in the scope of the next question", async () => {
  // The browser's file dialog, in which one file is chosen.
  vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function chooseNotes(this: HTMLInputElement) {
    Object.defineProperty(this, "files", { value: [new File(["Notes"], "notes.pdf", { type: "application/pdf" })] });
    this.dispatchEvent(new Event("change"));
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await openChat(aThread("thread-1", { head: "message-1" }), [messageAt(0), messageAt(1)]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Add source" }));
  const [sent, answer] = [createDeferred<AbortSignal | undefined>(), createDeferred<undefined>()];
  setTransport(async ({ endpoint, signal }) => {
    if (endpoint !== v1.uploads.uploadImageComponent && endpoint !== v1.pages.getComponent) return noNetwork();
    sent.resolve(signal);
    await answer.promise;
    return replyWith(JSON.stringify({ component: { _id: "notes", pageId: "page-of-notes" } }));
  });
  await user.click(await screen.findByRole("button", { name: "Upload file" }));
  const signal = await sent.promise;
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  expect(signal?.aborted).toBe(true);
  await act(async () => {
    answer.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
  });
  const sources = screen.getByRole("list", { name: "Sources" });
  expect(within(sources).getByText("All my material")).toBeTruthy();
  expect(within(sources).queryByText("notes.pdf")).toBeNull();
  await expect.poll(() => queue().unsaved().at(-1)).toMatchObject({ type: "page_delete", resourceId: "page-of-notes" });
});
