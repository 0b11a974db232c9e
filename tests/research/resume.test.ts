import { expect, test } from "vitest";
import { formatCanvas } from "#shared/research/canvas.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aResearchQuestion, findUnsupported, runResearch } from "#tests/kit/research.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const FACTS = [
  "The ribosome reads messenger RNA one codon at a time.",
  "Ribosomes make proteins by joining amino acids into a chain.",
  "A ribosome consists of two subunits, a small one and a large one.",
  "The ribosome of a bacterium contains 55 proteins.",
];
const QUESTION = { userMessage: "How do ribosomes make proteins?", depthState: "deep" as const };

async function aStudent(api: TestApi): Promise<TestUser> {
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Proteins");
  for (const fact of FACTS) await aText(ada, pageId, fact);
  return ada;
}

/** The parts of a session that must be equal in two runs over the same library. */
const comparableParts = ({ sections, citations, sources, run }: ResearchSession) => ({
  canvas: formatCanvas(sections, "en"),
  quotes: citations.map(({ n, source, quote }) => ({ n, source, quote })),
  sources: sources.map(({ n, title, sha256 }) => ({ n, title, sha256 })),
  verified: run.verified,
});

async function sessionOf({ client }: TestUser): Promise<ResearchSession> {
  const { conversations } = await client.research.listConversations({});
  return (await client.research.getConversation({ id: conversations[0]?._id ?? "" })).conversation;
}

/** Follows a run until it has sent this many events, then leaves. */
async function followFor(client: TestUser["client"], count: number): Promise<void> {
  let seen = 0;
  for await (const _ of client.research.sendResearch(aResearchQuestion(QUESTION))) if ((seen += 1) >= count) return;
}

test("a run that is interrupted at any point resumes to the same canvas, and is counted once", async () => {
  const whole = await startApi();
  const expected = comparableParts((await runResearch((await aStudent(whole)).client, QUESTION)).session);
  for (const point of [2, 8, 16]) {
    const first = await startApi();
    const ada = await aStudent(first);
    await followFor(ada.client, point).catch(() => undefined);
    await first.stop();
    const second = await startApi({ dataDir: first.dataDir, clock: first.clock });
    const again = { ...ada, client: second.clientFor(ada.token) };
    await expect.poll(async () => (await sessionOf(again)).run.status).toBe("done");
    const session = await sessionOf(again);
    expect([point, comparableParts(session)]).toEqual([point, expected]);
    expect(await findUnsupported(again.client, session)).toEqual([]);
    expect(await again.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
    await second.stop();
  }
});

test("a stopped run keeps what was written, and another question can follow", async () => {
  const api = await startApi();
  const ada = await aStudent(api);
  await followFor(ada.client, 3);
  const before = await sessionOf(ada);
  const { conversation } = await ada.client.research.cancelResearch({ id: before._id });
  expect(["stopped", "done"]).toContain(conversation.run.status);
  expect(await findUnsupported(ada.client, conversation)).toEqual([]);
  const { session } = await runResearch(ada.client, { ...QUESTION, conversationId: before._id });
  expect(session.run.status).toBe("done");
  expect(session.canvas).toContain("Ribosomes make proteins by joining amino acids into a chain.");
});
