import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { formatCanvas } from "#shared/research/canvas.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { isFull } from "#tests/kit/all-cases.ts";
import { aResearchQuestion, findUnsupported } from "#tests/kit/research.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

const WAIT = { timeout: 120_000, interval: 5 };
const KILLS = isFull ? 20 : 7;
const CAUSES = ["Moon", "Sun", "wind", "shelf", "river", "bay", "ridge", "storm", "current", "strait", "delta", "reef"];
const PLACES = ["north", "south", "east", "west"];

const servers = await startSearchServers({
  web: Object.fromEntries(
    CAUSES.flatMap((cause, at) =>
      PLACES.slice(0, 2).map((place, index) => [
        `/${place}-${cause}.html`,
        {
          title: `Tides and the ${cause} in the ${place}`,
          text: `The tides of the sea in the ${place} rise by ${at * 2 + index + 3} metres because of the ${cause}. The ${cause} is a part of what moves the tides of the ${place} coast.`,
        },
      ]),
    ),
  ),
});

const QUESTION = aResearchQuestion({
  userMessage: "How do the tides of the sea come about?",
  depthState: "deep",
  lookIn: ["library", "web"],
});

const comparableParts = ({ sections, citations, sources, run }: ResearchSession) => ({
  canvas: formatCanvas(sections, "en"),
  quotes: citations.map(({ n, source, quote }) => ({ n, source, quote })),
  sources: sources.map(({ n, title, sha256, status }) => ({ n, title, sha256, status })),
  verified: run.verified,
});

async function startResearching() {
  const server = await startServerProcess({ ...servers.env, DEFAULT_PLAN: "PLUS", RESEARCH_SOURCES: "library" });
  onTestFinished(() => server.dispose());
  const visitor = createClient(v1, fetchTransport({ origin: server.origin, token: () => undefined }));
  const email = `${ulid().toLowerCase()}@example.org`;
  const { token } = await visitor.auth.register({ name: "Ada", email, password: PASSWORD });
  const client = createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  servers.asked.length = 0;
  let id = "";
  for await (const event of client.research.sendResearch({ ...QUESTION, messageId: ulid() }))
    if (event.type === "conversation_id") {
      id = event.conversationId;
      break;
    }
  const read = async () => (await client.research.getConversation({ id })).conversation;
  const finish = async () => {
    await expect.poll(async () => (await read()).run.status, { ...WAIT, interval: 100 }).toBe("done");
    return read();
  };
  return { server, client, finish };
}

/** Entries of the first list that the second does not contain, counted with repetition. */
function listExtra(paid: readonly string[], once: readonly string[]): string[] {
  const unmatched = [...once];
  return paid.filter((path) => {
    const at = unmatched.indexOf(path);
    if (at !== -1) unmatched.splice(at, 1);
    return at === -1;
  });
}

test(`a web session that is killed ${KILLS} times ends like an undisturbed one, and repeats only requests that were in flight`, async () => {
  const undisturbed = await startResearching();
  const whole = comparableParts(await undisturbed.finish());
  const paid = [...servers.asked];
  expect(whole.verified).toBeGreaterThan(5);
  expect(paid.length).toBeGreaterThan(KILLS);
  const { server, client, finish } = await startResearching();
  const inFlight: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = servers.asked.length;
    await expect.poll(() => servers.asked.length, WAIT).toBeGreaterThan(before);
    await server.kill();
    inFlight.push(servers.asked.at(-1) ?? "");
    await server.start();
  }
  const session = await finish();
  expect(comparableParts(session)).toEqual(whole);
  expect(listExtra(listExtra(servers.asked, paid), inFlight)).toEqual([]);
  expect(await findUnsupported(client, session)).toEqual([]);
  expect((await client.user.getUsage({})).researchMessages).toBe(1);
}, 600_000);
