// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, onTestFinished, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { splitEditedText, splitMarkers, toEditableText } from "#shared/research/canvas.ts";
import { listPageBlocks } from "#webapp/research/make-page.ts";
import { exportBibtex, exportCslJson, exportMarkdown } from "#shared/research/export.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser, signOut } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { cacheResearch, findCachedResearch, listCachedResearch, wipeResearch } from "#webapp/offline/research-cache.ts";
import { OpenSession } from "#webapp/research/open-session.ts";
import {
  depthAtom,
  mayQuoteLibraryAtom,
  renameResearchSession,
  researchListAtom,
  showsUnsupportedAtom,
} from "#webapp/research/state.ts";
import { Usage } from "#shared/user/schema.ts";
import { usageAtom } from "#webapp/user/usage.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aSession } from "./a-session.ts";

const source = {
  n: 1,
  title: "Tides & time",
  url: "https://example.org/tides",
  host: "example.org",
  via: "crossref",
  kind: "paper",
  status: "abstract",
  copyOf: null,
  problem: null,
  fetchedAt: Date.UTC(2026, 0, 2),
  sha256: "abc",
  revision: null,
  licence: null,
  authors: ["Curie, Marie"],
  year: 1998,
  container: "Journal of Tests",
  doi: "10.1000/1",
  isRetracted: false,
  recheck: null,
} as const;

const session = aSession({
  canvas: "## Tides\n\nThe Moon causes the tides. [^1]",
  canvas_version: 1,
  citations: [
    {
      n: 1,
      source: 1,
      quote: "The Moon causes the tides.",
      passage: "The Moon causes the tides.",
      passageId: "p0",
      citation: null,
      page: null,
      startMs: null,
    },
  ],
  sources: [{ ...source, authors: [...source.authors] }],
  notes: "My summary.",
});

async function* nothing(): AsyncGenerator<string> {}
async function* pieces(...events: unknown[]): AsyncGenerator<string> {
  for (const event of events) yield frameEvent(event);
}
const reply = (value: unknown, stream: AsyncGenerator<string> = nothing()) => ({
  text: async () => JSON.stringify(value),
  blob: async () => new Blob(),
  pieces: () => stream,
});

type Reply = ReturnType<typeof reply>;

/** Sets a server that plans each question, and answers other calls as given. */
function serve(answers: Record<string, () => Reply | Promise<Reply>>): void {
  setTransport(async ({ path }) => {
    const [, answer] = Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
    if (answer) return answer();
    if (path === "/v1/research/timeline")
      return reply({ result: "done", message: "What causes tides?", shortDescription: "Tides" });
    throw new NoResponseError("network");
  });
}

const planWithOtherResult = () => reply({ result: "later", message: "", shortDescription: "" });
const planned = () => reply({ result: "done", message: "What causes tides?", shortDescription: "Tides" });

async function refusalOf(answers: Parameters<typeof serve>[0]): Promise<string | undefined> {
  serve(answers);
  const live = new OpenSession();
  await live.ask("What causes tides?");
  expect(live.snapshot).toMatchObject({ isSending: false, dialogue: [] });
  expect(live.snapshot.refusal?.text).toBe("What causes tides?");
  return live.snapshot.refusal?.message;
}

test("a question that cannot be planned is refused with the specification's message", async () => {
  const refusedWith = (error: Error) =>
    refusalOf({
      "/v1/research/timeline": () => {
        throw error;
      },
    });
  expect(await refusedWith(new Failure("broken", "server_broken"))).toBe(
    "An error occurred while processing your request.",
  );
  expect(await refusedWith(new NoResponseError("timeout"))).toBe(
    "The research is taking longer than expected. Please check back in a few minutes.",
  );
  expect(await refusedWith(new Failure("too_many_requests", "too_many_requests"))).toBe(
    "Too many requests. Please wait a moment and try again.",
  );
  expect(await refusalOf({ "/v1/research/timeline": planWithOtherResult })).toBe(
    "Sorry, I encountered an unexpected issue. Please try again.",
  );
});

test("a question that fails or takes too long shows a message, and is not counted", async () => {
  const usage = Usage.parse({ userId: "ada", period: new Date().toISOString().slice(0, 10), createdAt: 1 });
  store.set(usageAtom, usage);
  const failing = { "/v1/research/": () => Promise.reject(new Failure("broken", "server_broken")) };
  expect(await refusalOf({ "/v1/research/timeline": planned, ...failing })).toBe(
    "An error occurred while processing your request.",
  );
  const slow = { "/v1/research/": () => Promise.reject(new NoResponseError("timeout")) };
  expect(await refusalOf({ "/v1/research/timeline": planned, ...slow })).toBe(
    "The research is taking longer than expected. Please check back in a few minutes.",
  );
  expect(store.get(usageAtom)).toMatchObject({ researchMessages: 0 });
});

test("the student's choices are part of the question, and by default nothing of the library is sent", async () => {
  const sent: unknown[] = [];
  setTransport(async ({ path, body }) => {
    if (path === "/v1/research/timeline") return planned();
    if (path === "/v1/research/" && body.kind === "json") sent.push(JSON.parse(body.text));
    throw new NoResponseError("network");
  });
  await new OpenSession().ask("What causes tides?");
  store.set(mayQuoteLibraryAtom, true);
  store.set(showsUnsupportedAtom, true);
  store.set(depthAtom, "deep");
  await new OpenSession().ask("What causes tides?");
  expect(sent).toMatchObject([
    { depthState: "standard", mayQuoteLibrary: false, isStrict: true },
    { depthState: "deep", mayQuoteLibrary: true, isStrict: false },
  ]);
});

test("a question that is sent again after its answer was lost has the same id, and another question has its own", async () => {
  const sent: { messageId: string }[] = [];
  let isOnline = false;
  let message = "What causes tides?";
  setTransport(async ({ path, body }) => {
    if (path === "/v1/research/timeline") return reply({ result: "done", message, shortDescription: "Tides" });
    if (path !== "/v1/research/" || body.kind !== "json") throw new NoResponseError("network");
    sent.push(JSON.parse(body.text));
    if (!isOnline) throw new NoResponseError("network");
    return reply(null, pieces({ type: "conversation_id", seq: 0, conversationId: "session-1" }));
  });
  const live = new OpenSession();
  await live.ask(message);
  isOnline = true;
  expect(await live.ask(message)).toBe("session-1");
  expect(await live.ask(message)).toBe("session-1");
  isOnline = false;
  await live.ask(message);
  message = "What causes waves?";
  await live.ask(message);
  const [lost, repeated, again, last, other] = sent.map(({ messageId }) => messageId);
  expect(repeated).toBe(lost);
  expect(new Set([lost, again, last, other]).size).toBe(4);
});

test("an event of an unknown type is ignored with a warning, and those around it are applied", async () => {
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const running = { ...session, run: { ...session.run, status: "running" as const } };
  let loads = 0;
  serve({
    "/v1/research/conversation/session-1": () => reply({ conversation: (loads += 1) === 1 ? running : session }),
    "/v1/research/session-1/events": () =>
      reply(null, pieces({ type: "title_update", seq: 1, title: "High tides" }, { type: "telepathy", seq: 2 })),
  });
  const live = new OpenSession();
  const titles: (string | undefined)[] = [];
  const stop = store.sub(live.atom, () => titles.push(live.snapshot.session?.conversation_title));
  await live.open("session-1");
  stop();
  expect(titles).toContain("High tides");
  expect(warned.mock.calls.some(([text]) => String(text).includes("telepathy"))).toBe(true);
  expect(live.snapshot.session?.run.status).toBe("done");
  warned.mockRestore();
});

test("the fifty sessions opened last are saved for offline reading, and deleted with the account's offline data", async () => {
  const clock = vi.spyOn(Date, "now");
  for (let n = 0; n < 52; n += 1) {
    clock.mockReturnValue(n);
    await cacheResearch("ada", { ...session, _id: `session-${n}` });
  }
  clock.mockRestore();
  const saved = await listCachedResearch("ada");
  expect(saved).toHaveLength(50);
  expect(saved[0]?._id).toBe("session-51");
  expect(await findCachedResearch("ada", "session-0")).toBeUndefined();
  expect(await findCachedResearch("eve", "session-51")).toBeUndefined();
  await wipeResearch("ada");
  expect(await listCachedResearch("ada")).toEqual([]);
});

test("a change from another tab is shown without clearing text that is being written", async () => {
  let title = "Tides";
  serve({
    "/v1/research/conversation/session-1": () => reply({ conversation: { ...session, conversation_title: title } }),
  });
  const live = new OpenSession();
  await live.open("session-1");
  title = "Tides, renamed elsewhere";
  await live.refresh();
  expect(live.snapshot).toMatchObject({ load: { state: "loaded" }, session: { conversation_title: title } });
});

test("when the network returns, the session stays on screen while it is read again", async () => {
  let title = "Tides";
  serve({
    "/v1/research/conversation/session-1": () => reply({ conversation: { ...session, conversation_title: title } }),
    "/v1/research/timeline": () => reply({ result: "clarification", message: "Which tides?", shortDescription: "" }),
  });
  const live = new OpenSession();
  await live.open("session-1");
  await live.ask("And the others?");
  title = "Tides, renamed elsewhere";
  const shown: (string | undefined)[] = [];
  const unsubscribe = store.sub(live.atom, () => shown.push(live.snapshot.session?.conversation_title));
  await live.reconnect("session-1");
  unsubscribe();
  expect(shown).toEqual([title]);
  expect(live.snapshot.dialogue.map(({ text }) => text)).toEqual(["And the others?", "Which tides?"]);
});

test("the end of a run is announced also if it ends before the session is read again", async () => {
  const failed = { ...session, run: { ...session.run, status: "failed" as const } };
  let isAsked = false;
  setTransport(async ({ path }) => {
    if (path === "/v1/research/timeline") return planned();
    if (path.startsWith("/v1/research/conversation/")) return reply({ conversation: isAsked ? failed : session });
    if (path !== "/v1/research/") throw new NoResponseError("network");
    isAsked = true;
    return reply(null, pieces({ type: "conversation_id", seq: 1, conversationId: session._id }));
  });
  const live = new OpenSession();
  await live.open(session._id);
  await live.ask("What causes tides?");
  expect(store.get(alertsAtom).map(({ message }) => message)).toContain(
    "An error occurred while processing your request.",
  );
});

test("a question goes to the session in which it was asked, even if another one is opened meanwhile", async () => {
  const plan = createDeferred<Reply>();
  const sentTo: unknown[] = [];
  setTransport(async ({ path, body }) => {
    if (path === "/v1/research/timeline") return plan.promise;
    if (path === "/v1/research/" && body.kind === "json") {
      sentTo.push(JSON.parse(body.text));
      return reply(null, pieces({ type: "conversation_id", seq: 1, conversationId: "session-1" }));
    }
    const id = path.slice("/v1/research/conversation/".length);
    return reply({ conversation: { ...session, _id: id } });
  });
  const live = new OpenSession();
  await live.open("session-1");
  const sent = live.ask("What causes tides?");
  await live.open("session-2");
  const { snapshot } = live;
  plan.resolve(planned());
  await sent;
  expect(sentTo).toMatchObject([{ conversationId: "session-1" }]);
  expect(live.snapshot).toEqual(snapshot);
});

test("a title that is saved after another account has signed in does not change that account's list", async () => {
  const renamed = createDeferred<Reply>();
  serve({ "/v1/research/conversation/session-1": () => renamed.promise });
  onTestFinished(signOut);
  setUser(ada);
  const saved = renameResearchSession("session-1", "Ebb");
  setUser({ ...ada, _id: "grace" });
  const list = { state: "ready" as const, sessions: [session] };
  store.set(researchListAtom, list);
  renamed.resolve(reply({ conversation: { ...session, conversation_title: "Ebb" } }));
  expect(await saved).toBe(true);
  expect(store.get(researchListAtom)).toEqual(list);
});

test("notes that are written while the sources are checked stay on screen", async () => {
  const check = createDeferred<Reply>();
  let notes = "";
  serve({
    "/v1/research/conversation/session-1": () => reply({ conversation: { ...session, notes } }),
    "/v1/research/session-1/recheck": () => check.promise,
  });
  const live = new OpenSession();
  await live.open("session-1");
  const checked = live.recheck();
  notes = "New notes.";
  await live.saveNotes(notes);
  check.resolve(reply({ sources: [] }));
  await checked;
  expect(live.snapshot.session).toMatchObject({ notes, sources: [] });
});

test("a run that another tab starts is followed here, and one that it stops ends here", async () => {
  const running = { ...session, run: { ...session.run, id: "run-2", status: "running" as const } };
  const stopped = { ...running, run: { ...running.run, status: "stopped" as const } };
  let current: ResearchSession = session;
  serve({
    "/v1/research/conversation/session-1": () => reply({ conversation: current }),
    "/v1/research/session-1/events": () => {
      current = stopped;
      const change = { type: "title_update", seq: 1, title: "Asked in the other tab" };
      return reply(null, pieces(change, { type: "error", seq: 2, code: "cancelled", message: "Stopped." }));
    },
  });
  const live = new OpenSession();
  const seen: string[] = [];
  const unsubscribe = store.sub(live.atom, () => {
    const shown = live.snapshot.session;
    if (shown) seen.push(`${shown.run.status} ${shown.conversation_title}`);
  });
  await live.open("session-1");
  current = running;
  await live.refresh();
  await expect.poll(() => live.snapshot.session?.run.status).toBe("stopped");
  unsubscribe();
  expect(seen).toContain("running Asked in the other tab");
  expect(live.snapshot).toMatchObject({ isReconnecting: false, isSending: false });
});

test("the student's versions are exported below the checked text, with the footnotes that they name", () => {
  const section = {
    id: "r1t1",
    heading: "Tides",
    topic: null,
    status: "written" as const,
    paragraphs: [[{ text: "The Moon causes the tides.", cites: [1], isSupported: true }]],
    disagreements: [],
  };
  expect(toEditableText(section, "Disagree")).toBe("The Moon causes the tides. [^1]");
  const [sentence] = section.paragraphs[0] ?? [];
  if (!sentence) throw new Error("no sentence");
  const withHeading = { ...section, paragraphs: [[{ ...sentence, heading: "Causes" }]] };
  expect(toEditableText(withHeading, "Disagree")).toBe("### Causes\n\nThe Moon causes the tides. [^1]");
  const sides = ["It is high.", "It is low."].map((text) => ({ text, cites: [2], isSupported: true }));
  const pair = { kind: "opposites" as const, about: "tide", sides, paragraphsBefore: 0 };
  expect(toEditableText({ ...section, disagreements: [pair] }, "Disagree")).toBe(
    "Disagree: It is high. [^2] It is low. [^2]\n\nThe Moon causes the tides. [^1]",
  );
  expect(splitEditedText("Before.\n### Causes\nThe Moon.\n\nThe Sun,\ntoo.")).toEqual([
    { isHeading: false, text: "Before." },
    { isHeading: true, text: "Causes" },
    { isHeading: false, text: "The Moon." },
    { isHeading: false, text: "The Sun,\ntoo." },
  ]);
  expect(splitMarkers("My words. [^1] More.")).toEqual(["My words.", 1, " More."]);
  const edits = [{ section: "r1t1", text: "My words. [^1]", edited_at: 1 }];
  const edited = { ...session, canvas: "## Tides\n\nNothing.", sections: [section], edits };
  const markdown = exportMarkdown(edited, ({ heading }) => `${heading} (my version)`);
  expect(markdown).toContain("## Tides (my version)\n\nMy words. [^1]");
  expect(markdown).toContain("[^1]: Tides & time.");
});

test("a session is exported as Markdown with its notes and footnotes, and its sources as BibTeX and CSL-JSON", () => {
  const markdown = exportMarkdown(session);
  expect(markdown).toContain("The Moon causes the tides. [^1]");
  expect(markdown).toContain("My summary.");
  expect(markdown).toContain("[^1]: Tides & time. Journal of Tests. 1998. https://example.org/tides. read 2026-01-02.");
  const bibtex = exportBibtex(session.sources);
  expect(bibtex).toContain("@article{source1,");
  expect(bibtex).toContain(String.raw`  title = {Tides \& time},`);
  expect(JSON.parse(exportCslJson(session.sources))).toMatchObject([
    {
      type: "article-journal",
      author: [{ family: "Curie", given: "Marie" }],
      issued: { "date-parts": [[1998]] },
      DOI: "10.1000/1",
    },
  ]);
});

test("a sentence that no source supports is marked on a page of the result, and is left out of its flashcards", () => {
  const paragraphs = [
    [
      { text: "Tides are old.", cites: [], isSupported: false, heading: "Causes" },
      { text: "The Moon causes the tides.", cites: [1], isSupported: true },
    ],
    [{ text: "Tides are blue.", cites: [], isSupported: false }],
  ];
  const section = { id: "r1t1", heading: "Tides", topic: null, status: "written" as const, disagreements: [] };
  const textsFor = (opens: "page" | "cards") =>
    listPageBlocks({ ...session, sections: [{ ...section, paragraphs }] }, opens).map(({ runs }) =>
      runs.map(({ content }) => (typeof content === "string" ? content : "")).join(""),
    );
  expect(textsFor("page")).toEqual([
    "Tides",
    "Causes",
    "Tides are old. (no source supports this) The Moon causes the tides. 1 · abstract",
    "Tides are blue. (no source supports this)",
  ]);
  expect(textsFor("cards")).toEqual(["Tides", "Causes", "The Moon causes the tides. 1 · abstract"]);
});

test("in BibTeX, addresses stay as they are, and a backslash in a title is escaped once", () => {
  const title = String.raw`50% of \emph{A_1} ~ x^2`;
  const bibtex = exportBibtex([
    { ...source, authors: [], title, url: "https://example.org/a_b?c=1&d=%20#{e}", doi: "10.1000/a_b#1" },
  ]);
  expect(bibtex).toContain("  url = {https://example.org/a_b?c=1&d=%20#%7Be%7D},");
  expect(bibtex).toContain("  doi = {10.1000/a_b#1},");
  expect(bibtex).toContain(
    String.raw`  title = {50\% of \textbackslash{}emph\{A\_1\} \textasciitilde{} x\textasciicircum{}2},`,
  );
});
