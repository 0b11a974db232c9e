import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { GenerationEvent, GenerationStatus } from "#shared/flashcards/schema.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

const parts = ["van", "tos", "rin", "pel", "nam", "lid", "kor", "bra", "cel", "dor", "fem", "gal", "hin", "jor", "kel"];
const name = (i: number) => `${parts[i % 15]}${parts[Math.floor(i / 15) % 15]}${parts[Math.floor(i / 225) % 15]}ine`;
const book = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const heading = i % 6 === 0 ? `\n\n# Section ${i / 6}\n\n` : "";
    return `${heading}The **${name(i)}** is a substance that binds ${name(i + 1000)} to ${name(2000 - i)}. `;
  }).join("");

async function signIn(origin: string): Promise<TestUser> {
  const guest = createClient(v1, fetchTransport({ origin, token: () => undefined }));
  const email = "ada@example.org";
  const { user, token } = await guest.auth.register({ name: "Ada", email, password: PASSWORD });
  return { client: createClient(v1, fetchTransport({ origin, token: () => token })), userId: user._id, email, token };
}

/** Reads further events until there are enough, or the server dies. */
async function readFurther(seen: GenerationEvent[], events: AsyncGenerator<GenerationEvent>, isEnough: () => boolean) {
  try {
    for await (const event of events) {
      seen.push(event);
      if (isEnough()) return;
    }
  } catch {
    // The connection ended with the server.
  }
}

const isUnderWay = ({ status }: GenerationStatus) => status === "running" || status === "waiting";
const cardsOf = (events: readonly GenerationEvent[]) => events.flatMap((e) => (e.type === "card" ? [e.card] : []));

test.each([
  ["the built-in engine", 500],
  ["a model server", 60],
])(
  "kill -9 during a generation (%s) neither loses nor duplicates a card",
  async (engine, length) => {
    const model = await startModelServer({ script: ["slow", "slow", "slow", "slow", "slow"] });
    onTestFinished(() => model.close());
    const env = { DEFAULT_PLAN: "ULTIMATE", AI_BASE_URL: model.baseUrl, AI_MODELS: "test-model" };
    const server = await startServerProcess(env);
    onTestFinished(() => server.dispose());
    const ada = await signIn(server.origin);
    const pageId = await aPage(ada);
    const target = { pageId, componentId: await aDeck(ada, pageId, []) };
    const jobId = ulid();
    const chosen = engine === "a model server" ? { model: "test-model" } : {};
    const options = { target, jobId, density: "HIGH" as const, ...chosen };
    const seen: GenerationEvent[] = [];
    let kills = 0;
    let interruptedCount = 0;

    await readFurther(
      seen,
      ada.client.flashcards.generateCards.stream({ texts: [book(length)], options }, []),
      () => cardsOf(seen).length >= 2,
    );
    while (seen.at(-1)?.type !== "result" && kills < 4) {
      await server.kill();
      kills++;
      await server.start();
      const [known] = (await ada.client.flashcards.listGenerations({})).generations;
      if (known && isUnderWay(known)) interruptedCount++;
      const after = seen.at(-1)?.seq ?? 0;
      const enough = cardsOf(seen).length + 5;
      const isEnough = () => kills < 3 && cardsOf(seen).length >= enough;
      await readFurther(seen, ada.client.flashcards.followGeneration({ jobId, after }), isEnough);
      await pause(20);
    }

    expect(interruptedCount).toBeGreaterThan(0);
    const result = seen.at(-1);
    if (result?.type !== "result") throw new Error(`ended with ${JSON.stringify(result)}`);
    expect(seen.map((e) => e.seq)).toEqual(seen.map((_, i) => i));
    const cards = cardsOf(seen);
    expect(new Set(cards.map((c) => c.id)).size).toBe(cards.length);
    expect(new Set(cards.map((c) => c.question)).size).toBe(cards.length);
    expect(result.result.cards).toEqual(cards);
    const { component } = await ada.client.pages.getComponent({ id: target.componentId });
    expect(component.content).toMatchObject({ cards });
  },
  120_000,
);
