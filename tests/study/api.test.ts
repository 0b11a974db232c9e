import { ulid } from "ulid";
import { expect, test } from "vitest";
import { replay } from "#shared/study/rules.ts";
import type { Review } from "#shared/study/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, deckContent, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);

const aReview = (componentId: string, cardId: string, parts: Partial<Review> = {}): Review => ({
  _id: ulid(),
  cardId,
  componentId,
  grade: 4,
  reviewedAt: NOW,
  durationMs: 1500,
  mode: "study",
  ...parts,
});

const answered = (user: TestUser, review: Review) => send(user, aChange("review_add", review.componentId, review));

async function aStudent(plan: "FREE" | "ULTIMATE" = "ULTIMATE") {
  const api = await startApi();
  const ada = await api.newUser({ plan });
  const pageId = await aPage(ada);
  const cards = ["nucleus", "codon", "ribosome"].map((name) => aCard(ulid(), `What is a ${name}?`));
  const componentId = await aDeck(ada, pageId, cards);
  return { api, ada, pageId, componentId, cardIds: cards.map((card) => card.id) as [string, string, string] };
}

test("a deck that was never studied has no schedules, and all cards are new", async () => {
  const { ada, pageId, componentId } = await aStudent();
  expect(await ada.client.study.getDeckSchedule({ componentId })).toEqual({
    schedules: [],
    studiedToday: 0,
    dailyLimit: null,
    timezone: "UTC",
    settings: { desiredRetention: null, examAt: null, minutesPerDay: null, examId: null },
    weights: null,
    secondsPerReview: 8,
    load: Array.from({ length: 120 }, () => 0),
  });
  expect((await ada.client.study.getDue({})).decks).toEqual([
    {
      componentId,
      pageId,
      title: expect.any(String),
      due: 0,
      learning: 0,
      learningAt: null,
      fresh: 3,
      introduced: 0,
      total: 3,
      examAt: null,
      minutesPerDay: null,
      examId: null,
    },
  ]);
});

test("queued reviews are returned as schedules, and due cards are counted on their day", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  const [good, again] = [aReview(componentId, cardIds[0]), aReview(componentId, cardIds[1], { grade: 1 })];
  await answered(ada, good);
  await answered(ada, again);
  const { schedules, studiedToday } = await ada.client.study.getDeckSchedule({ componentId });
  expect(schedules).toHaveLength(2);
  expect(schedules).toEqual(expect.arrayContaining([replay([good]), replay([again])]));
  expect(studiedToday).toBe(2);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({
    due: 0,
    learning: 1,
    learningAt: replay([again])?.dueAt,
    fresh: 1,
    introduced: 2,
  });
  api.clock.advance(2 * 60_000);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({
    due: 1,
    learning: 0,
    learningAt: null,
    fresh: 1,
  });
  api.clock.advance(10 * DAY_MS);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({ due: 2, fresh: 1 });
});

test("a queued undo reverts the review", async () => {
  const { ada, componentId, cardIds } = await aStudent();
  const review = aReview(componentId, cardIds[0]);
  await answered(ada, review);
  await send(ada, aChange("review_undo", componentId, { reviewId: review._id }));
  expect(await ada.client.study.getDeckSchedule({ componentId })).toMatchObject({ schedules: [], studiedToday: 0 });
  expect(await ada.client.user.getStreak({})).toMatchObject({ currentStreak: 0 });
});

test("reviews beyond the plan's limit are stored, and the schedule returns the limit", async () => {
  const { ada, componentId, cardIds } = await aStudent("FREE");
  for (const cardId of [...cardIds, "a card of another deck"]) await answered(ada, aReview(componentId, cardId));
  expect(await ada.client.study.getDeckSchedule({ componentId })).toMatchObject({ studiedToday: 4, dailyLimit: 3 });
});

test("the due day follows the student's time zone and begins at 04:00", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  // A new card graded Easy is due in 8 days, at noon UTC.
  await answered(ada, aReview(componentId, cardIds[0], { intervalDays: 8 }));
  await ada.client.user.saveSettings({ timezone: "Asia/Tokyo" });
  api.clock.advance(7 * DAY_MS + 6.5 * 3_600_000);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({ due: 0 });
  // 04:30 in Tokyo on the day on which the card comes back.
  api.clock.advance(3_600_000);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({ due: 1 });
});

test("a card removed from the deck is no longer due", async () => {
  const { api, ada, pageId, componentId, cardIds } = await aStudent();
  await answered(ada, aReview(componentId, cardIds[0]));
  await send(ada, aChange("component_delete", componentId, { pageId }));
  api.clock.advance(30 * DAY_MS);
  expect((await ada.client.study.getDue({})).decks).toEqual([]);
});

test("another student's deck, a text component and a missing deck get the same answer", async () => {
  const { api, ada, pageId, componentId } = await aStudent();
  const eve = await api.newUser();
  const requests = [
    { student: eve, id: componentId },
    { student: ada, id: pageId },
    { student: ada, id: ulid() },
  ];
  for (const { student, id } of requests) {
    await expect(student.client.study.getDeckSchedule({ componentId: id })).rejects.toMatchObject({
      code: "not_found",
    });
  }
  expect((await eve.client.study.getDue({})).decks).toEqual([]);
});

test("another student's reviews of a deck change nothing for its owner", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  const eve = await api.newUser();
  await answered(eve, aReview(componentId, cardIds[0]));
  expect(await ada.client.study.getDeckSchedule({ componentId })).toMatchObject({ schedules: [], studiedToday: 0 });
});

test.each([
  { grade: 0 },
  { grade: 5 },
  { reviewedAt: -1 },
  { reviewedAt: 1e300 },
  { reviewedAt: null },
  { cardId: "" },
])("a review with %j is refused", async (wrong) => {
  const { ada, componentId, cardIds } = await aStudent();
  const review = { ...aReview(componentId, cardIds[0]), ...wrong };
  const id = ulid();
  const request = { id, clientId: "phone", seq: 1, type: "review_add", resourceId: componentId, data: review };
  const answer = await ada.client.sync.sendChanges({ payload: [{ ...request, createdAt: NOW }] });
  expect(answer).toMatchObject({ success: [], failed: [{ id, code: "bad_input", retriable: false }] });
});

test("a suspended, buried or removed card isn't due, and is due again once back", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  for (const cardId of cardIds) await answered(ada, aReview(componentId, cardId));
  api.clock.advance(30 * DAY_MS);
  const now = NOW + 30 * DAY_MS;
  const due = async () => (await ada.client.study.getDue({})).decks[0];
  expect(await due()).toMatchObject({ due: 3, fresh: 0, total: 3 });
  const [first, second, third] = cardIds.map((id) => aCard(id)) as [
    ReturnType<typeof aCard>,
    ...ReturnType<typeof aCard>[],
  ];
  let baseVersion = 1;
  const edit = async (cards: ReturnType<typeof aCard>[]) => {
    const { versions } = await send(
      ada,
      aChange("component_content_update", componentId, { newContent: deckContent(cards) }, { baseVersion }),
    );
    baseVersion = versions[0]?.version ?? 0;
  };
  if (!second || !third) throw new Error("there are three");
  await edit([{ ...first, isSuspended: true }, second, third]);
  expect(await due()).toMatchObject({ due: 2, fresh: 0, total: 3 });
  await edit([{ ...first, isSuspended: true }, { ...second, buriedUntil: now + DAY_MS }, third]);
  expect(await due()).toMatchObject({ due: 1 });
  await edit([
    { ...first, isSuspended: true },
    { ...second, buriedUntil: now + DAY_MS },
  ]);
  expect(await due()).toMatchObject({ due: 0, total: 2 });
  await edit([first, second, third, aCard(ulid())]);
  expect(await due()).toMatchObject({ due: 3, fresh: 1, total: 4 });
});

test("a buried card is not counted as new until its burial ends, whether or not it was reviewed", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  const fresh = async () => (await ada.client.study.getDue({})).decks[0]?.fresh;
  const buriedUntil = api.clock.now() + DAY_MS;
  const bury = (cardId: string) =>
    send(ada, aChange("card_standing", componentId, { cards: [{ cardId, buriedUntil }] }));
  await bury(cardIds[0]);
  expect(await fresh()).toBe(2);
  await answered(ada, aReview(componentId, cardIds[1] ?? ""));
  await bury(cardIds[1] ?? "");
  expect(await fresh()).toBe(1);
  api.clock.advance(DAY_MS);
  expect(await fresh()).toBe(2);
});

test("a review of a card deleted elsewhere is stored, and the card isn't due", async () => {
  const { api, ada, componentId, cardIds } = await aStudent();
  await answered(ada, aReview(componentId, "a card that is gone"));
  await answered(ada, aReview(componentId, cardIds[0]));
  api.clock.advance(30 * DAY_MS);
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({ due: 1, fresh: 2 });
  expect((await ada.client.study.getDeckSchedule({ componentId })).schedules).toHaveLength(2);
});

test("a deck's settings are stored separately, and an exam in the past is refused", async () => {
  const { api, ada, componentId } = await aStudent();
  const examAt = NOW + 20 * DAY_MS;
  await ada.client.study.saveDeckSettings({ componentId, desiredRetention: 0.85 });
  const { settings } = await ada.client.study.saveDeckSettings({ componentId, examAt, minutesPerDay: 15 });
  expect(settings).toEqual({ desiredRetention: 0.85, examAt, minutesPerDay: 15, examId: null });
  expect(await ada.client.study.getDeckSchedule({ componentId })).toMatchObject({ settings });
  expect((await ada.client.study.getDue({})).decks[0]).toMatchObject({ examAt, minutesPerDay: 15 });
  const past = ada.client.study.saveDeckSettings({ componentId, examAt: NOW - 1 });
  await expect(past).rejects.toMatchObject({ code: "bad_input" });
  const eve = await api.newUser();
  await expect(eve.client.study.saveDeckSettings({ componentId, examAt })).rejects.toMatchObject({ code: "not_found" });
  await ada.client.study.saveDeckSettings({ componentId, examAt: null });
  expect((await ada.client.study.getDeckSchedule({ componentId })).settings.examAt).toBeNull();
});

test("the best match time of a deck is that of the fastest round on any device", async () => {
  const { api, ada, componentId } = await aStudent();
  const { saveDeckSettings, getDeckSchedule } = ada.client.study;
  await saveDeckSettings({ componentId, bestMatchMs: 21_400 });
  await saveDeckSettings({ componentId, bestMatchMs: 34_000 });
  await saveDeckSettings({ componentId, desiredRetention: 0.85 });
  expect((await getDeckSchedule({ componentId })).settings.bestMatchMs).toBe(21_400);
  await saveDeckSettings({ componentId, bestMatchMs: 18_900 });
  expect((await getDeckSchedule({ componentId })).settings).toMatchObject({
    desiredRetention: 0.85,
    bestMatchMs: 18_900,
  });
  const eve = await api.newUser();
  const cheat = eve.client.study.saveDeckSettings({ componentId, bestMatchMs: 1 });
  await expect(cheat).rejects.toMatchObject({ code: "not_found" });
});

test("match times and an exam that are saved at the same moment are all kept, and the fastest time wins", async () => {
  const { ada, componentId } = await aStudent();
  const { saveDeckSettings, getDeckSchedule } = ada.client.study;
  const examAt = NOW + 400 * DAY_MS;
  await Promise.all([
    saveDeckSettings({ componentId, bestMatchMs: 18_900 }),
    saveDeckSettings({ componentId, examAt, minutesPerDay: 20 }),
    saveDeckSettings({ componentId, bestMatchMs: 34_000 }),
    saveDeckSettings({ componentId, desiredRetention: 0.85 }),
  ]);
  const { settings } = await getDeckSchedule({ componentId });
  expect(settings).toMatchObject({ bestMatchMs: 18_900, examAt, minutesPerDay: 20, desiredRetention: 0.85 });
});

test("the desired retention of the preferences and of the deck determines when a card is due", async () => {
  const { ada, componentId, cardIds } = await aStudent();
  const daysOf = async (cardId: string) => {
    await answered(ada, aReview(componentId, cardId));
    const { schedules } = await ada.client.study.getDeckSchedule({ componentId });
    return schedules.find((schedule) => schedule.cardId === cardId)?.scheduledDays ?? 0;
  };
  const usual = await daysOf(cardIds[0]);
  await ada.client.user.savePreferences({ flashcards: { desired_retention: 0.95 } });
  const careful = await daysOf(cardIds[1]);
  await ada.client.study.saveDeckSettings({ componentId, desiredRetention: 0.75 });
  const easy = await daysOf(cardIds[2]);
  expect(careful).toBeLessThan(usual);
  expect(easy).toBeGreaterThan(usual);
});
