// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { pageCitation } from "#shared/citations.ts";
import type { LedgerSource, ResearchEvent, ResearchTool } from "#shared/research/schema.ts";
import { ada, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { listedPage } from "#tests/kit/listed-page.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { completeSignIn, signOut } from "#webapp/app/session/session.ts";
import { addWatchedRun, listWatchedRuns } from "#webapp/research/watched-runs.ts";
import { aSession, aSource, tidesSection } from "./a-session.ts";

// Screens are loaded in parts, which takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const moon = aSource(1, "Moon");
const sun = aSource(2, "Sun");

test("text that the student is typing stays when the network returns", async () => {
  let title = "Tides";
  // The first load answers at once, the second later.
  let mayAnswer = Promise.resolve();
  const isReadAgain = createDeferred<void>();
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: async () => {
          await mayAnswer;
          return { conversation: aSession({ _id: "tides", user_id: ada._id, conversation_title: title }) };
        },
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const field = await screen.findByRole("textbox", { name: "Add a question" });
  await userEvent.setup().type(field, "Why twice a day?");
  title = "Tides, renamed elsewhere";
  mayAnswer = isReadAgain.promise;
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.getByRole("textbox", { name: "Add a question" })).toBe(field);
  isReadAgain.resolve();
  await screen.findByRole("heading", { name: title });
  expect(field.isConnected).toBe(true);
  expect(field).toHaveProperty("value", "Why twice a day?");
});

test("a link to another source of the open session shows that source", async () => {
  const read = [moon, sun].values();
  const { router } = await openApp("/research/tides?source=1", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", user_id: ada._id, sources: [moon, sun] }) }),
        listSearchSources: () => ({ sources: [], model: null }),
        readSnapshot: () => ({ source: read.next().value ?? sun, passages: [] }),
      },
    },
  });
  await screen.findByRole("dialog", { name: /Moon/u });
  router.history.push("/research/tides?source=2");
  await screen.findByRole("dialog", { name: /Sun/u });
});

test.each([
  { name: "a notice tells of a model that gave no answer", id: "run-1.model", notices: 1 },
  { name: "no notice tells of a model that gave no answer to an earlier question", id: "run-0.model", notices: 0 },
])("$name", async ({ id, notices }) => {
  const entry = { id, creator: "orchestrator" as const, iteration: 0, task_id: null, content: "", created_at: 1 };
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", user_id: ada._id, history: [entry] }) }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  await screen.findByRole("textbox", { name: "Add a question" });
  expect(screen.queryAllByText(/^The model stopped answering\./u)).toHaveLength(notices);
});

const search = (source: "wikipedia" | "arxiv" | "crossref" | "web", status: "done" | "failed"): ResearchTool => ({
  id: `${source}-${status}`,
  task_id: null,
  name: "search",
  args: { query: "tides", source },
  status,
  summary: "",
  found: 0,
  problem: status === "failed" ? "unreachable" : null,
  sources: [],
  started_at: 6,
  ended_at: 7,
});

test("a question without a result names the services that gave no answer", async () => {
  const sections = [{ ...tidesSection, status: "not_found" as const, paragraphs: [] }];
  const ofEarlierQuestion = { ...search("crossref", "failed"), started_at: 1 };
  const tools = [search("arxiv", "failed"), search("wikipedia", "failed"), search("arxiv", "done")];
  const tool_instances = [ofEarlierQuestion, ...tools];
  const run = { ...aSession().run, startedAt: 5 };
  const conversation = aSession({ _id: "tides", user_id: ada._id, sections, tool_instances, run });
  const research = {
    getConversation: () => ({ conversation }),
    listSearchSources: () => ({ sources: [], model: null }),
  };
  await openApp("/research/tides", { signedIn: true, answers: { research } });
  await screen.findByText(/No answer from: Wikipedia\. Try again later/);
});

const openSession = (conversation: ReturnType<typeof aSession>) =>
  openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: { getConversation: () => ({ conversation }), listSearchSources: () => ({ sources: [], model: null }) },
    },
  });

test("a web search whose engines were all silent is named as the reason for no result, once", async () => {
  const tool_instances = [{ ...search("web", "done"), silentEngines: ["brave", "qwant"] }];
  const sections = [{ ...tidesSection, status: "not_found" as const, paragraphs: [] }];
  const run = { ...aSession().run, startedAt: 5 };
  await openSession(aSession({ _id: "tides", user_id: ada._id, sections, tool_instances, run }));
  await screen.findByText(/No answer from: Web search \(brave, qwant\)\. Try again later/u);
  expect(screen.queryByRole("heading", { name: "Answer" })).toBeNull();
  expect(screen.getByText("No source was read for this question.")).toBeDefined();
  // Nothing was compared or checked.
  expect(screen.queryByText("Compare the sources")).toBeNull();
});

test("beside a result, a notice names the services that did not answer, and aspects without findings are one line", async () => {
  const none = { ...tidesSection, status: "not_found" as const, paragraphs: [] };
  const sections = [
    tidesSection,
    { ...none, id: "r1t2", topic: "kinds" as const, heading: "Kinds" },
    { ...none, id: "r1t3", topic: "limits" as const, heading: "Limits" },
  ];
  const partly = { ...search("web", "done"), found: 3, silentEngines: ["brave"] };
  const tool_instances = [partly, search("arxiv", "failed")];
  const run = { ...aSession().run, startedAt: 5 };
  await openSession(aSession({ _id: "tides", user_id: ada._id, sections, tool_instances, run }));
  // The web search found something, although not with every engine.
  await screen.findByText(/^No answer from arXiv\. /u);
  expect(screen.getByText("2 further aspects")).toBeDefined();
});

test("a run that takes longer than its limit shows the time that it has taken", async () => {
  const startedAt = Date.now() - 150_000;
  const run = { ...aSession().run, status: "running" as const, depth: "quick" as const, startedAt };
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", run, read_only: true }) }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  await screen.findByText(/^(?:2:[3-5]\d|[3-9]:\d\d) of 2:00$/u);
});

const Messages = z.object({ messages: z.array(z.object({ content: z.string() })) });

test("a student who gets a question back can ask something else, which is sent alone", async () => {
  const sent: string[][] = [];
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", user_id: ada._id }) }),
        listSearchSources: () => ({ sources: [], model: null }),
        plan: (request) => {
          sent.push(Messages.parse(request).messages.map(({ content }) => content));
          return { result: "clarification", message: "What does it refer to?", shortDescription: "" };
        },
      },
    },
  });
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Add a question" }), "Why?{Enter}");
  await screen.findByText("What does it refer to?");
  await user.click(screen.getByRole("button", { name: "Ask something else" }));
  expect(screen.queryByText("What does it refer to?")).toBeNull();
  expect(screen.queryByRole("button", { name: "Ask something else" })).toBeNull();
  await user.type(screen.getByRole("textbox", { name: "Add a question" }), "How high is it?{Enter}");
  await screen.findByText("What does it refer to?");
  expect(sent).toEqual([["Why?"], ["How high is it?"]]);
});

const notes: LedgerSource = { ...aSource(1, "Tide notes"), url: null, host: "", via: "library", kind: "page" };
const changed: LedgerSource = { ...notes, recheck: { at: 1, state: "changed" } };

test.each([
  {
    name: "a badge opens the page that it cites",
    pages: [listedPage("notes", "Tide notes")],
    source: notes,
    opens: "",
  },
  { name: "the badge of a deleted page opens the stored text", pages: [], source: notes, opens: "snapshot" },
  {
    name: "the badge of a page that a re-check found changed opens the stored text",
    pages: [listedPage("notes", "Tide notes")],
    source: changed,
    opens: "snapshot",
  },
])("$name", async ({ pages, source, opens }) => {
  const quote = "The Moon causes the tides.";
  const citation = pageCitation("notes", "notes", quote);
  const cited = { n: 1, source: 1, quote, passage: quote, passageId: "p", citation, page: null, startMs: null };
  const section = { id: "r1t1", heading: "Tides", topic: null, status: "written" as const, disagreements: [] };
  const paragraphs = [[{ text: quote, cites: [1], isSupported: true }]];
  const conversation = aSession({
    _id: "tides",
    user_id: ada._id,
    sources: [source],
    citations: [cited],
    sections: [{ ...section, paragraphs }],
  });
  const { router } = await openApp("/research/tides", {
    signedIn: true,
    answers: {
      pages: { getContent: () => ({ content: { pages, components: [], podcasts: [] } }) },
      research: {
        getConversation: () => ({ conversation }),
        listSearchSources: () => ({ sources: [], model: null }),
        readSnapshot: () => ({ source, passages: [] }),
      },
    },
  });
  await userEvent.setup().click(await screen.findByRole("button", { name: /Source 1: Tide notes/u }));
  if (opens === "snapshot") await screen.findByRole("dialog", { name: /What was read of/u });
  else await expect.poll(() => router.history.location.pathname).not.toBe("/research/tides");
});

test("the cost of a further question is shown without opening its options", async () => {
  await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", user_id: ada._id }) }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const cost = await screen.findByText(/^Up to 6 minutes and 16 sources\./u);
  expect(cost.closest("details")).toBeNull();
});

test("sessions after the 200th are shown on request", async () => {
  const conversations = Array.from({ length: 201 }, (_, n) =>
    aSession({ _id: `s${n}`, user_id: ada._id, conversation_title: `Session ${n}` }),
  );
  await openApp("/research", {
    signedIn: true,
    answers: {
      research: {
        listConversations: () => ({ conversations }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  const button = await screen.findByText("Show all 201 sessions");
  expect(screen.queryByText("Session 200")).toBeNull();
  act(() => button.click());
  await screen.findByText("Session 200");
  expect(screen.queryByText("Show all 201 sessions")).toBeNull();
});

test("the end of a run is announced on the screen that the student went to", async () => {
  const run = { ...aSession().run, status: "running" as const };
  const isEnded = createDeferred<void>();
  const counts = { sources: 1, verified: 1, leftOut: 0, tokens: 0 };
  const ended = { ...run, status: "done" as const };
  const final: ResearchEvent = { type: "assistant_message_final", seq: 9, text: "", ...counts, run: ended };
  const { router } = await openApp("/research/tides", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "tides", user_id: ada._id, run }) }),
        listConversations: () => ({ conversations: [] }),
        listSearchSources: () => ({ sources: [], model: null }),
        followResearch: async () => {
          await isEnded.promise;
          return [final];
        },
      },
    },
  });
  await screen.findByRole("button", { name: "Stop" });
  act(() => router.history.push("/research"));
  await screen.findByRole("textbox", { name: "Your question" });
  expect(screen.queryByText("Your research is finished")).toBeNull();
  expect(listWatchedRuns(ada._id)).toEqual(["tides"]);
  isEnded.resolve();
  await screen.findByText("Your research is finished");
  await userEvent.setup().click(screen.getByRole("button", { name: "Show" }));
  await expect.poll(() => router.history.location.pathname).toBe("/research/tides");
  expect(listWatchedRuns(ada._id)).toEqual([]);
});

test("the end of a run is announced if its account has signed out and in again meanwhile", async () => {
  const run = { ...aSession().run, status: "running" as const };
  const isEnded = createDeferred<void>();
  const counts = { sources: 1, verified: 1, leftOut: 0, tokens: 0 };
  const ended = { ...run, status: "done" as const };
  const signals: (AbortSignal | undefined)[] = [];
  const { router } = await openApp("/research/expired", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () => ({ conversation: aSession({ _id: "expired", user_id: ada._id, run }) }),
        listConversations: () => ({ conversations: [] }),
        listSearchSources: () => ({ sources: [], model: null }),
        followResearch: async (_sent, signal) => {
          signals.push(signal);
          await isEnded.promise;
          return [{ type: "assistant_message_final", seq: 9, text: "", ...counts, run: ended }];
        },
      },
    },
  });
  await screen.findByRole("button", { name: "Stop" });
  act(() => router.history.push("/research"));
  await screen.findByRole("textbox", { name: "Your question" });
  await act(signOut);
  expect(signals.every((signal) => signal?.aborted)).toBe(true);
  await act(() => completeSignIn({ user: ada, token: "token-of-ada" }));
  await act(() => router.navigate({ to: "/research" }));
  isEnded.resolve();
  await screen.findByText("Your research is finished");
});

test.each(["running", "done"] as const)(
  "the end of a run whose screen was left is announced if the page is reloaded while it is %s",
  async (status) => {
    const run = { ...aSession().run, status };
    const counts = { sources: 1, verified: 1, leftOut: 0, tokens: 0 };
    const ended = { ...run, status: "done" as const };
    const id = `reloaded-${status}`;
    addWatchedRun(ada._id, id);
    await openApp("/research", {
      signedIn: true,
      answers: {
        research: {
          getConversation: () => ({ conversation: aSession({ _id: id, user_id: ada._id, run }) }),
          listConversations: () => ({ conversations: [] }),
          listSearchSources: () => ({ sources: [], model: null }),
          followResearch: () => [{ type: "assistant_message_final", seq: 9, text: "", ...counts, run: ended }],
        },
      },
    });
    await screen.findByText("Your research is finished");
    expect(screen.getAllByText("Your research is finished")).toHaveLength(1);
    expect(listWatchedRuns(ada._id)).toEqual([]);
  },
);

test("a run that cannot be read after a reload, because the server is busy, is still announced", async () => {
  let isBusy = true;
  const run = { ...aSession().run, status: "done" as const };
  addWatchedRun(ada._id, "busy");
  const { calls } = await openApp("/research", {
    signedIn: true,
    answers: {
      research: {
        getConversation: () =>
          isBusy
            ? refuse("too_many_requests", "Wait")
            : { conversation: aSession({ _id: "busy", user_id: ada._id, run }) },
        listConversations: () => ({ conversations: [] }),
        listSearchSources: () => ({ sources: [], model: null }),
      },
    },
  });
  await expect.poll(() => calls).toContain("research.getConversation");
  isBusy = false;
  await vi.waitFor(() => {
    act(() => void window.dispatchEvent(new Event("online")));
    screen.getByText("Your research is finished");
  });
});
