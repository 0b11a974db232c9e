import { expect, onTestFinished, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { aResearchQuestion, findUnsupported, runResearch } from "#tests/kit/research.ts";
import { startResearchWeb } from "#tests/kit/research-web/web.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

const POINTS = 20;
const QUESTION = {
  userMessage: "What is the Velmar battery and how does it work?",
  depthState: "standard" as const,
  lookIn: ["library" as const, "web" as const],
};

/** What two runs of one question have in common. */
const essence = ({ sections, citations, sources, run }: ResearchSession) => ({
  sections: sections.map(({ heading, status, paragraphs, disagreements }) => ({
    heading,
    status,
    texts: paragraphs.flat().map(({ text, cites }) => [text, cites]),
    disagreements: disagreements.map(({ sides }) => sides.map(({ text }) => text)),
  })),
  quotes: citations.map(({ n, source, quote }) => [n, source, quote]),
  sources: sources.map(({ n, url, sha256, status }) => [n, url, sha256, status]),
  verified: run.verified,
});

/** Follows a run until it has sent this many events. */
async function followFor(client: V1Client, count: number, onEnough: () => Promise<void>): Promise<void> {
  let seen = 0;
  try {
    for await (const _ of client.research.sendResearch(aResearchQuestion(QUESTION)))
      if ((seen += 1) === count) await onEnough();
  } catch {
    // The connection went with the server.
  }
}

async function latestSession(client: V1Client): Promise<ResearchSession> {
  const { conversations } = await client.research.listConversations({});
  const latest = conversations.toSorted((a, b) => b.created_at - a.created_at)[0];
  return (await client.research.getConversation({ id: latest?._id ?? "" })).conversation;
}

test("kill -9 at 20 points: each run resumes to the same canvas, fetches no page twice but one, and is counted once", async () => {
  const web = await startResearchWeb();
  const server = await startServerProcess({ ...web.env, DEFAULT_PLAN: "ULTIMATE", RATE_LIMIT_FACTOR: "1000" });
  onTestFinished(() => server.dispose());
  const guest = createClient(v1, fetchTransport({ origin: server.origin, token: () => undefined }));
  const { token } = await guest.auth.register({ name: "Ada", email: "ada@example.org", password: PASSWORD });
  const client = createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  const whole = await runResearch(client, QUESTION);
  const expected = essence(whole.session);
  for (let point = 0; point < POINTS; point += 1) {
    // A new process has nothing cached.
    await server.kill();
    await server.start();
    web.asked.length = 0;
    const count = 1 + Math.floor((point * (whole.events.length - 1)) / POINTS);
    await followFor(client, count, () => server.kill());
    await server.kill();
    await server.start();
    await expect.poll(async () => (await latestSession(client)).run.status, { timeout: 60_000 }).toBe("done");
    const session = await latestSession(client);
    expect([count, essence(session)]).toEqual([count, expected]);
    expect(await findUnsupported(client, session)).toEqual([]);
    const pages = web.asked.filter((path) => !path.startsWith("/search?"));
    expect(pages.length - new Set(pages).size).toBeLessThanOrEqual(1);
    expect((await client.user.getUsage({})).researchMessages).toBe(point + 2);
  }
}, 1_200_000);
