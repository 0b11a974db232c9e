import { expect, test, vi } from "vitest";
import type { CanvasSection, LedgerSource, ResearchEvent, ResearchSession, ResearchTool } from "#shared/research/schema.ts";
import { applyResearchEvent } from "#shared/research/apply-event.ts";
import { viewResearch } from "#extension/research/research-view.ts";
import { words } from "#extension/words/words.ts";
import { startApi } from "#tests/kit/api.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const FACT = "Ribosomes make proteins by joining amino acids into a chain.";
const QUESTION = "How do ribosomes make proteins?";

/** The panel's documents are gone: the next one reads what is stored. */
async function openPanel() {
  vi.resetModules();
  const [followed, draft, disk] = await Promise.all([
    import("#extension/research/followed-research.ts"),
    import("#extension/research/research-draft.ts"),
    import("#extension/app/disk.ts"),
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
  expect(view).toMatchObject({ title: QUESTION, isRunning: false, status: words.research_done, sources: "1 source read" });
  const sentences = view.parts.flatMap((part) => part.sentences);
  expect(sentences.map(({ text }) => text)).toContain(FACT);
  expect(sentences.every(({ cites }) => cites.length > 0)).toBe(true);
  const { conversation } = await ada.client.research.getConversation({ id: sessionId });
  expect(conversation.run).toMatchObject({ depth: "quick", lookIn: ["library"], status: "done" });

  const reopened = await openPanel();
  await expect.poll(() => reopened.getResearch().session?._id).toBe(sessionId);
  await reopened.closeResearch();
  expect((await openPanel()).getResearch().sessionId).toBeUndefined();
});

test("a question that is too short is asked back about once, in the panel", async () => {
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
  const ids = asked.filter(({ path }) => path === "/v1/research/").map(({ body }) => JSON.parse(body).messageId as string);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect((await ada.client.research.listConversations({})).conversations).toHaveLength(1);
});

test("says why a question was not sent: the limit of the day, and an ended connection", async () => {
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
  await panel.writeSetting("account", { ...(await panel.readSetting("account")), token: "ended" } as never);
  await panel.startResearch(QUESTION);
  expect(panel.getResearch().refusal).toBe(words.research_signed_out);
  await panel.syncResearch();
  expect(panel.getResearch().sessionId).toBeUndefined();
});

test("a session that was deleted elsewhere says so", async () => {
  const { ada, panel } = await aStudent();
  await panel.startResearch(QUESTION);
  await panel.untilEnd();
  await ada.client.research.deleteConversation({ id: panel.getResearch().sessionId ?? "" });
  const reopened = await openPanel();
  await expect.poll(() => reopened.getResearch().problem).toBe(words.research_missing);
});

const startedAt = 1000;
const aTool = (change: Partial<ResearchTool>): ResearchTool => ({
  id: "t",
  task_id: "a",
  name: "search",
  args: {},
  status: "running",
  summary: "",
  found: 0,
  problem: null,
  sources: [],
  started_at: startedAt,
  ended_at: null,
  ...change,
});
