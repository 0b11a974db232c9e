import { afterAll, expect, test } from "vitest";
import { RESEARCH_JOB } from "#api/research/run/run-input.ts";
import { workOnResearch } from "#api/research/run/research-run.ts";
import type { JobRun } from "#api/jobs/jobs-port.ts";
import { formatCanvas } from "#shared/research/canvas.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { isFull } from "#tests/kit/all-cases.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aResearchQuestion, findUnsupported } from "#tests/kit/research.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { startSearchServers } from "#tests/kit/servers/search-services.ts";
import { aPage, aText } from "#tests/store/changes.ts";

const QUESTION = {
  userMessage: "How do the tides of the sea come about?",
  depthState: "standard" as const,
  lookIn: ["library" as const, "wikipedia" as const, "web" as const],
};

/** Plans two questions, and quotes the first sentence of each passage. */
function speak(prompt: string): string {
  const lines = prompt.split("\n").filter((line) => line.startsWith('{"id":'));
  if (lines.length === 0)
    return ["What causes the tides of the sea?", "How many tides does a day have?"]
      .map((question) => JSON.stringify({ question }))
      .join("\n");
  return lines
    .map((line) => {
      const { id: passage, text } = JSON.parse(line) as { id: string; text: string };
      const [quote = text] = text.match(/[^.]+\./) ?? [];
      return JSON.stringify({ sentence: quote, passage, quote });
    })
    .join("\n");
}

const model = await startModelServer({ say: speak });
afterAll(() => model.close());
const servers = await startSearchServers({
  wikipedia: [{ title: "Tide", text: "The gravity of the Moon and the Sun causes the tides of the sea." }],
  web: {
    "/tides.html": {
      title: "Tides",
      text: "Most coasts have two high tides each day, because the Earth turns below the Moon.",
    },
    "/other.html": { title: "Tides elsewhere", text: "Most coasts have three high tides each day." },
  },
});
const env = { ...servers.env, AI_BASE_URL: model.baseUrl, AI_MODEL: "test-model" };

/** What a run has paid for: requests to services, pages and the model. */
const listPaid = (after = { asked: 0, prompts: 0 }) => [
  ...servers.asked.slice(after.asked),
  ...model.requests.slice(after.prompts).map(({ prompt }) => `model ${prompt}`),
];

/** The parts of a session that must be equal in two runs. */
const comparableParts = ({ sections, citations, sources, run }: ResearchSession) => ({
  canvas: formatCanvas(sections, "en"),
  quotes: citations.map(({ n, source, quote }) => ({ n, source, quote })),
  sources: sources.map(({ n, title, sha256, status }) => ({ n, title, sha256, status })),
  verified: run.verified,
});

async function sessionOf({ client }: TestUser): Promise<ResearchSession> {
  const { conversations } = await client.research.listConversations({});
  return (await client.research.getConversation({ id: conversations[0]?._id ?? "" })).conversation;
}

interface Crash {
  /** The number of the checkpoint write at which the process ends; 0 for a run that is not interrupted. */
  at: number;
  /** Whether that checkpoint is stored; the session document is not stored in either case. */
  isStored: boolean;
}

/** Makes the process end at one of the run's writes. Counts the writes, and what was paid for since the last one. */
function watchWrites(api: TestApi, crash: Crash) {
  const seen = { writes: 0, paid: { asked: 0, prompts: 0 }, inFlight: [] as string[] };
  const die = async (run: JobRun) => {
    void api.stop();
    await new Promise<void>((resolve) => {
      if (run.signal.aborted) resolve();
      else run.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    run.signal.throwIfAborted();
  };
  api.deps.jobs.register(RESEARCH_JOB, (run) =>
    workOnResearch(api.deps, {
      get job() {
        return run.job;
      },
      signal: run.signal,
      async emit(events, checkpoint) {
        seen.writes += 1;
        const isLast = seen.writes === crash.at;
        if (isLast && !crash.isStored) {
          seen.inFlight = listPaid(seen.paid);
          await die(run);
        }
        await run.emit(events, checkpoint);
        seen.paid = { asked: servers.asked.length, prompts: model.requests.length };
        if (isLast) await die(run);
      },
    }),
  );
  return seen;
}

async function research(crash: Crash) {
  servers.asked.length = 0;
  model.requests.length = 0;
  const first = await startApi({ env });
  const seen = watchWrites(first, crash);
  const ada = await first.newUser();
  await aText(ada, await aPage(ada, "Harbour"), "The tides of the sea come later by 50 minutes every day.");
  const follow = async () => {
    for await (const event of ada.client.research.sendResearch(aResearchQuestion(QUESTION))) void event;
  };
  await follow().catch(() => undefined);
  if (crash.at === 0) return { ...seen, session: await sessionOf(ada), ada };
  await first.stop();
  const second = await startApi({ env, dataDir: first.dataDir, clock: first.clock });
  const again = { ...ada, client: second.clientFor(ada.token) };
  await expect.poll(async () => (await sessionOf(again)).run.status).toBe("done");
  return { ...seen, session: await sessionOf(again), ada: again };
}

/** Odd, so that both stored and lost checkpoints occur. */
const STEP = isFull ? 1 : 3;

test("a run that crashes at a write resumes to the same canvas, and repeats only requests that were in flight", async () => {
  const whole = await research({ at: 0, isStored: false });
  const paid = listPaid().toSorted();
  expect(whole.session.run.verified).toBeGreaterThan(2);
  expect(paid.length).toBeGreaterThan(6);
  for (let at = 1; at <= whole.writes; at += STEP) {
    const isStored = at % 2 === 0;
    const { session, ada, inFlight } = await research({ at, isStored });
    const label = `write ${at}, ${isStored ? "stored" : "lost"}`;
    expect([label, comparableParts(session)]).toEqual([label, comparableParts(whole.session)]);
    expect([label, listPaid().toSorted()]).toEqual([label, [...paid, ...inFlight].toSorted()]);
    expect(await findUnsupported(ada.client, session)).toEqual([]);
    expect(await ada.client.user.getUsage({})).toMatchObject({ researchMessages: 1 });
  }
}, 120_000);
