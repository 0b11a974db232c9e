import { expect, test, vi } from "vitest";
import { idleRun } from "#shared/research/rules.ts";
import { sentencesInBlock } from "#shared/research/canvas-blocks.ts";
import type { CanvasSection, ResearchEvent, ResearchSession, ResearchTool } from "#shared/research/schema.ts";
import { applyResearchEvent } from "#shared/research/apply-event.ts";
import { joinStatus, viewResearch } from "#extension/research/research-view.ts";
import { words } from "#extension/words/words.ts";
import { startApi } from "#tests/kit/api.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { aSession } from "./a-session.ts";

const FACT = "Ribosomes make proteins by joining amino acids into a chain.";
const QUESTION = "How do ribosomes make proteins?";

/** Opens a new panel, which has only what is stored. */
async function openPanel() {
  vi.resetModules();
  const [followed, draft, disk] = await Promise.all([
    import("#extension/research/followed-research.ts"),
    import("#extension/research/research-draft.ts"),
    import("#extension/app/settings-store.ts"),
  ]);
  await followed.syncResearch();
  const untilEnd = () =>
    expect.poll(() => followed.getResearch().session?.run.status, { timeout: 20_000 }).not.toBe("running");
  return { ...followed, ...draft, ...disk, untilEnd };
}

/** A student with one fact in the library, and the panel beside a page. */
async function aStudent(env: Record<string, string> = {}) {
  const world = anExtensionWorld();
  const api = await startApi({ realClock: true, env: { RESEARCH_SOURCES: "library", ...env } });
  const ada = await api.newUser();
  await aText(ada, await aPage(ada, "Protein synthesis"), FACT);
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  const panel = await openPanel();
  await panel.closeResearch();
  await panel.discardResearchDraft();
  return { ...world, ada, panel };
}

test("a selection becomes a question, and its session is followed to the first cited sentences", async () => {
  const { ada, panel } = await aStudent();
  await panel.saveResearchDraft(`  How do ribosomes\n make proteins?${" and so on".repeat(60)}`);
  await panel.syncResearch();
  expect(panel.getResearch().draft?.text).toMatch(/^How do ribosomes make proteins\? and so on/);
  expect(panel.getResearch().draft?.text.length).toBeLessThanOrEqual(400);
  await panel.startResearch(QUESTION);
  const { draft, sessionId = "" } = panel.getResearch();
  expect([draft, sessionId === ""]).toEqual([undefined, false]);
  await expect.poll(() => panel.getResearch().session?.run.status, { timeout: 20_000 }).toBe("done");
  const { session } = panel.getResearch();
  const view = viewResearch(session as ResearchSession);
  expect(view).toMatchObject({
    title: QUESTION,
    isRunning: false,
    status: words.research_done,
    sources: "1 source read",
  });
  const sentences = view.parts.flatMap(({ blocks }) => blocks.flatMap(sentencesInBlock));
  expect(sentences.map(({ text }) => text)).toContain(FACT);
  expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true);
  const { conversation } = await ada.client.research.getConversation({ id: sessionId });
  expect(conversation.run).toMatchObject({ depth: "quick", lookIn: ["library"], status: "done" });

  const reopened = await openPanel();
  await expect.poll(() => reopened.getResearch().session?._id).toBe(sessionId);
  await reopened.closeResearch();
  expect((await openPanel()).getResearch().sessionId).toBeUndefined();
});

test("a question chosen while another one is sent is kept, and the session of the other is followed", async () => {
  const { panel, answerWith } = await aStudent();
  await panel.writeSetting("researchDraft", { text: QUESTION, at: 1 });
  await panel.syncResearch();
  answerWith(async ({ path }) => {
    if (path === "/v1/research/timeline") {
      await panel.saveResearchDraft("What is a codon?");
      await panel.syncResearch();
    }
    return undefined;
  });
  await panel.startResearch(QUESTION);
  expect(panel.getResearch()).toMatchObject({
    draft: { text: "What is a codon?" },
    sessionId: expect.any(String) as string,
  });
  expect((await openPanel()).getResearch().draft?.text).toBe("What is a codon?");
  await panel.untilEnd();
});

test("for a question that is too short, the panel asks back once", async () => {
  const { panel } = await aStudent();
  await panel.startResearch("ribosomes");
  expect(panel.getResearch().dialogue.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(panel.getResearch().sessionId).toBeUndefined();
  await panel.startResearch(QUESTION);
  expect(panel.getResearch().dialogue).toEqual([]);
  await panel.untilEnd();
});

test("lost connections are resumed after the last event, and a lost first answer starts no second run", async () => {
  const { ada, panel, loseStreams, loseAnswers, asked } = await aStudent();
  loseAnswers(({ path }) => path === "/v1/research/");
  await panel.startResearch(QUESTION);
  expect(panel.getResearch()).toMatchObject({ refusal: words.research_offline, isSending: false });
  loseAnswers(() => false);
  loseStreams(1);
  await panel.startResearch(QUESTION);
  await expect.poll(() => panel.getResearch().session?.run.status, { timeout: 20_000 }).toBe("done");
  const ids = asked
    .filter(({ path }) => path === "/v1/research/")
    .map(({ body }) => (JSON.parse(body) as { messageId: string }).messageId);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect((await ada.client.research.listConversations({})).conversations).toHaveLength(1);
});

test("the panel says why a question was not sent: the limit of the day, or an ended connection", async () => {
  const { panel, answerWith } = await aStudent({ DEFAULT_PLAN: "FREE" });
  for (let n = 0; n < 30 && panel.getResearch().refusal === undefined; n += 1) {
    await panel.startResearch(QUESTION);
    await panel.untilEnd();
  }
  expect(panel.getResearch().refusal).toBe(words.research_limit);
  answerWith(() => new Response("{}", { status: 500 }));
  await panel.startResearch(QUESTION);
  expect(panel.getResearch().refusal).toBe(words.research_failed);
  answerWith(undefined);
  const account = await panel.readSetting("account");
  if (!account) throw new Error("not connected");
  await panel.writeSetting("account", { ...account, token: "ended" });
  await panel.startResearch(QUESTION);
  expect(panel.getResearch().refusal).toBe(words.research_signed_out);
  await panel.syncResearch();
  expect(panel.getResearch().sessionId).toBeUndefined();
});

test("a run is stopped from the panel, which says so if that fails", async () => {
  const { ada, panel, answerWith } = await aStudent();
  await panel.startResearch(QUESTION);
  answerWith(({ path }) => (path.endsWith("/cancel") ? new Response("{}", { status: 500 }) : undefined));
  await panel.stopResearch();
  expect(panel.getResearch().problem).toBe(words.research_stop_failed);
  answerWith(undefined);
  await panel.stopResearch();
  const { session, problem, sessionId = "" } = panel.getResearch();
  expect([problem, ["stopped", "done"].includes(session?.run.status ?? "")]).toEqual([undefined, true]);
  const { conversation } = await ada.client.research.getConversation({ id: sessionId });
  expect(conversation.run.status).toBe(session?.run.status);
});

test("the panel says that a session was deleted elsewhere", async () => {
  const { ada, panel } = await aStudent();
  await panel.startResearch(QUESTION);
  await panel.untilEnd();
  await ada.client.research.deleteConversation({ id: panel.getResearch().sessionId ?? "" });
  const reopened = await openPanel();
  await expect.poll(() => reopened.getResearch().problem).toBe(words.research_missing);
});

const startedAt = 1000;

const emptySession = aSession({ run: { ...idleRun, id: "run-1", status: "running", depth: "quick", startedAt } });

let seq = 0;
const aTool = (change: Partial<ResearchTool>): ResearchEvent => {
  seq += 1;
  const tool: ResearchTool = {
    id: `tool-${seq}`,
    task_id: "a",
    name: "search",
    args: {},
    status: "running",
    summary: "",
    found: 0,
    problem: null,
    sources: [],
    started_at: startedAt + seq,
    ended_at: null,
    ...change,
  };
  return { type: "tool_instance", seq, tool, sources: [] };
};

const aSection = (id: string, sentences: number, topic: CanvasSection["topic"] = null): CanvasSection => ({
  id,
  heading: `Heading ${id}`,
  topic,
  status: "written",
  paragraphs: [Array.from({ length: sentences }, (_, n) => ({ text: `${id}${n}.`, cites: [1], isSupported: true }))],
  disagreements: [],
});

const aCanvas = (sections: CanvasSection[]): ResearchEvent => {
  seq += 1;
  return { type: "canvas_update", seq, section: null, text: "", version: seq, sections, citations: [], sources: [] };
};

test("the panel shows the current step after each event, and the first five sentences", () => {
  let session = emptySession;
  const view = (event: ResearchEvent) => {
    session = applyResearchEvent(session, event) ?? session;
    return viewResearch(session);
  };
  expect(viewResearch(session)).toEqual({
    title: "Tides",
    isRunning: true,
    status: words.research_running,
    step: words.research_step_plan,
    sources: "0 sources read",
    parts: [],
  });
  expect(view({ type: "title_update", seq: 1, title: "" }).title).toBe(words.research_untitled);
  const waiting = { ...aSection("a", 0), status: "waiting" as const };
  expect(view(aCanvas([waiting])).step).toBe(words.research_step_search_start);
  const steps = [
    aTool({ name: "read_library" }),
    aTool({ args: { source: "wikipedia" } }),
    aTool({ args: { source: "web" } }),
    aTool({ name: "open", args: { title: "Tides of the sea" } }),
    aTool({ name: "compare", status: "done" }),
    aTool({ name: "verify", status: "done" }),
  ].map((event) => {
    const { step } = view(event);
    if (event.type === "tool_instance") view({ ...event, tool: { ...event.tool, status: "done" } });
    return step;
  });
  expect(steps).toEqual([
    "Looking in your library",
    "Searching Wikipedia",
    "Searching the web",
    "Reading “Tides of the sea”",
    "Comparing the sources",
    "Checking every sentence again",
  ]);
  const shownOf = (sections: CanvasSection[]) =>
    view(aCanvas(sections)).parts.map(({ heading, blocks }) => [
      heading,
      ...blocks.map((block) => sentencesInBlock(block).length),
    ]);
  expect(shownOf([aSection("a", 3), aSection("b", 9, "definition"), aSection("c", 1)])).toEqual([
    ["Heading a", 3],
    ["What it is", 2],
  ]);
  const sides = ["12 hours.", "6 hours."].map((text) => ({ text, cites: [1], isSupported: true }));
  const pair = { kind: "figures" as const, about: "hours", sides, paragraphsBefore: 0 };
  expect(shownOf([{ ...aSection("a", 9), disagreements: [pair] }])).toEqual([["Heading a", 2, 3]]);
  const grey = { text: "Nobody says so.", cites: [], isSupported: false };
  expect(shownOf([aSection("a", 1), { ...aSection("b", 0), paragraphs: [[grey]] }])).toEqual([["Heading a", 1]]);
  shownOf([aSection("a", 1)]);
  const ended = (code: string) =>
    viewResearch(applyResearchEvent(session, { type: "error", seq: 99, code, message: "" }) ?? session);
  expect(ended("cancelled")).toMatchObject({ isRunning: false, step: undefined, status: words.research_stopped });
  expect(ended("broken").status).toBe(words.research_failed);
  const done = { ...session, run: { ...session.run, status: "done" as const } };
  expect(viewResearch(done).status).toBe(words.research_done);
  expect(viewResearch({ ...done, sections: [] }).status).toBe(words.research_nothing);
});

test("the status line has a dot between its parts, but none after a sentence", () => {
  const sources = "2 sources read";
  expect(joinStatus({ status: "Finished", step: undefined, sources })).toBe("Finished · 2 sources read");
  expect(joinStatus({ status: "Nothing was found.", step: undefined, sources })).toBe(
    "Nothing was found. 2 sources read",
  );
});
