import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { aChange, deckComponent, send } from "#tests/store/changes.ts";
import type { Turn } from "#tests/kit/servers/model-server.ts";
import {
  aModelServer,
  allOf,
  aTarget,
  beginGeneration,
  cancelGenerations,
  cardsIn,
  longNotes,
  notes,
} from "./generating.ts";

test("a stopped generation can be resumed after the cards it made, also for pasted text", async () => {
  const { env } = await aModelServer("slow", "good", "good", "good", "good", "good", "good", "good");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const eve = await api.newUser();
  const target = await aTarget(ada);
  const jobId = ulid();
  const asked = { texts: [longNotes], options: { target, jobId } };
  for await (const event of ada.client.flashcards.generateCards.stream(asked, []))
    if (event.type === "card") await ada.client.flashcards.cancelGeneration({ jobId });
  const cardsBefore = await cardsIn(ada, target);
  await expect(eve.client.flashcards.resumeGeneration({ jobId })).rejects.toMatchObject({ code: "not_found" });
  expect(await ada.client.flashcards.resumeGeneration({ jobId })).toMatchObject({ status: "waiting" });
  const seen = await allOf(ada.client.flashcards.followGeneration({ jobId }));
  expect(seen.at(-1)?.type).toBe("result");
  const cards = await cardsIn(ada, target);
  expect(cards.length).toBeGreaterThan(cardsBefore.length);
  expect(cards.slice(0, cardsBefore.length)).toEqual(cardsBefore);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
  // A generation that is done cannot be resumed.
  expect(await ada.client.flashcards.resumeGeneration({ jobId })).toMatchObject({ status: "done" });
  expect(await cardsIn(ada, target)).toEqual(cards);
});

test("deleting a deck stops its generation, and restoring the deck lets it continue", async () => {
  const { server, env } = await aModelServer("slow");
  const api = await startApi({ env });
  const ada = await api.newUser();
  const target = await aTarget(ada);
  const jobId = ulid();
  const asked = { texts: [longNotes], options: { target, jobId } };
  const seen: GenerationEvent[] = [];
  for await (const event of ada.client.flashcards.generateCards.stream(asked, [])) {
    if (event.type === "card" && seen.every(({ type }) => type !== "card"))
      await send(ada, aChange("component_delete", target.componentId, {}));
    seen.push(event);
  }
  expect(seen.at(-1)).toMatchObject({ type: "error", code: "cancelled" });
  await expect.poll(() => server.requests.map(({ wasClosedEarly }) => wasClosedEarly)).toEqual([true]);
  await send(ada, aChange("component_create", target.componentId, deckComponent(target.componentId, target.pageId)));
  await ada.client.flashcards.resumeGeneration({ jobId });
  const after = await allOf(ada.client.flashcards.followGeneration({ jobId }));
  expect(after.at(-1)?.type).toBe("result");
  const cards = await cardsIn(ada, target);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
  expect(cards.length).toBeGreaterThan(1);
});

test("a generation can't be resumed while five others run", async () => {
  const { env } = await aModelServer(...Array<Turn>(7).fill("silent"));
  const api = await startApi({ env });
  const ada = await api.newUser();
  const first = await beginGeneration(ada);
  await ada.client.flashcards.cancelGeneration({ jobId: first });
  for (let n = 0; n < 5; n += 1) await beginGeneration(ada);
  await expect(ada.client.flashcards.resumeGeneration({ jobId: first })).rejects.toMatchObject({
    code: "too_many_requests",
  });
  await cancelGenerations(ada);
});

test("definitions are asked in both directions on request, each pair once", async () => {
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
