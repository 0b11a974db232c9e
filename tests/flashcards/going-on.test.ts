import { ulid } from "ulid";
import { expect, onTestFinished, test } from "vitest";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/kit/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/model-server.ts";

const definitions = [
  "The **nucleus** is the organelle that holds the chromosomes of the cell.",
  "A **mitochondrion** is an organelle that releases energy from glucose.",
  "**Ribosomes** are small particles that assemble proteins from amino acids.",
  "**Lysosomes** are vesicles that digest worn parts with strong enzymes.",
];
const notes = `# The cell\n\n${definitions.join(" ")}\n`;

/** Words that look like names of substances, each another. */
const substance = (i: number) =>
  ["bra", "cel", "dor", "fem", "gal", "hin", "jor", "kel"][i % 8] +
  (["van", "tos", "rin", "pel", "nam", "lid"][Math.floor(i / 8) % 6] ?? "") +
  (i % 2 === 0 ? "ine" : "ose");
const longNotes = Array.from({ length: 8 }, (_, part) => {
  const own = Array.from({ length: 5 }, (__, i) => {
    const n = part * 5 + i;
    return `The **${substance(n)}** is a substance that binds ${substance(n + 3)} to ${substance(46 - n)}.`;
  });
  return `# Section ${part}\n\n${own.join(" ")}\n`;
}).join("\n");

async function aTarget(user: TestUser) {
  const pageId = await aPage(user);
  return { pageId, componentId: await aDeck(user, pageId, []) };
}

async function cardsIn(user: TestUser, { componentId }: { componentId: string }) {
  const { component } = await user.client.pages.getComponent({ id: componentId });
  if (component.type !== "flash_cards") throw new Error("not a deck");
  return component.content.cards;
}

async function aModelServer(...script: Turn[]) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  return { env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", AI_API_KEY: "sk-test" } };
}

async function allOf(events: AsyncGenerator<GenerationEvent>) {
  const seen: GenerationEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

test("a generation that was stopped goes on behind the cards it made, from a pasted text too", async () => {
  const { env } = await aModelServer("slow", "good", "good", "good", "good", "good", "good", "good");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const eve = await api.newUser();
  const target = await aTarget(ada);
  const jobId = ulid();
  const asked = { texts: [longNotes], options: { target, jobId } };
  for await (const event of ada.client.flashcards.generateCards.stream(asked, []))
    if (event.type === "card") await ada.client.flashcards.cancelGeneration({ jobId });
  const kept = await cardsIn(ada, target);
  await expect(eve.client.flashcards.resumeGeneration({ jobId })).rejects.toMatchObject({ code: "not_found" });
  expect(await ada.client.flashcards.resumeGeneration({ jobId })).toMatchObject({ status: "waiting" });
  const seen = await allOf(ada.client.flashcards.followGeneration({ jobId }));
  expect(seen.at(-1)?.type).toBe("result");
  const cards = await cardsIn(ada, target);
  expect(cards.length).toBeGreaterThan(kept.length);
  expect(cards.slice(0, kept.length)).toEqual(kept);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
  // What has ended well stays as it is.
  expect(await ada.client.flashcards.resumeGeneration({ jobId })).toMatchObject({ status: "done" });
  expect(await cardsIn(ada, target)).toEqual(cards);
});

test("a generation cannot be gone on with while five others are in the making", async () => {
  const { env } = await aModelServer(...Array<Turn>(7).fill("silent"));
  const api = await startApi({ env });
  const ada = await api.newUser();
  const begin = async () => {
    const events = ada.client.flashcards.generateCards.stream({ texts: [notes] }, []);
    const { value } = await events.next();
    await events.return(undefined);
    return value?.type === "started" ? value.jobId : "";
  };
  const first = await begin();
  await ada.client.flashcards.cancelGeneration({ jobId: first });
  for (let n = 0; n < 5; n += 1) await begin();
  await expect(ada.client.flashcards.resumeGeneration({ jobId: first })).rejects.toMatchObject({
    code: "too_many_requests",
  });
  const { generations } = await ada.client.flashcards.listGenerations({});
  for (const { jobId } of generations) await ada.client.flashcards.cancelGeneration({ jobId });
});

test("definitions are asked both ways where that is wished for, each pair once", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const options = { target, reversed: true };
  const { cards } = await ada.client.flashcards.generateCards({ texts: [notes], options }, []);
  const turned = cards.filter(({ isReversed }) => isReversed);
  expect(turned.length).toBeGreaterThan(0);
  for (const { groupId, citation } of turned) {
    const pair = cards.filter((card) => card.groupId === groupId);
    expect(pair).toHaveLength(2);
    expect(pair[0]?.citation).toBe(citation);
  }
  expect(await cardsIn(ada, target)).toEqual(cards);
});
