import { ulid } from "ulid";
import { expect, test } from "vitest";
import { ownedBy } from "#api/store/owned-store.ts";
import { forecastStudy } from "#api/study/forecast.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 8, 1, 12);
const EXAM_AT = NOW + 12 * DAY_MS;

async function withDecks(user: TestUser, count: number) {
  const pageId = await aPage(user);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await aDeck(user, pageId, [aCard(ulid(), `Question ${at}?`)]));
  return ids as [string, ...string[]];
}

const settingsOf = async (user: TestUser, componentId: string) =>
  (await user.client.study.getDeckSchedule({ componentId })).settings;

test("an exam of several decks shares its minutes and is listed with the due cards", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second, third] = await withDecks(ada, 3);
  const decks = [first, second ?? ""];
  await ada.client.study.saveExam({ componentIds: decks, examAt: EXAM_AT, minutesPerDay: 25 });
  const { examId: joint } = await settingsOf(ada, first);
  const shared = { examAt: EXAM_AT, minutesPerDay: 25, examId: joint };
  for (const componentId of decks) expect(await settingsOf(ada, componentId)).toMatchObject(shared);
  expect(await settingsOf(ada, third ?? "")).toMatchObject({ examAt: null, examId: null });
  const due = (await ada.client.study.getDue({})).decks;
  expect(
    due
      .filter(({ examId }) => examId !== null && examId === joint)
      .map(({ componentId }) => componentId)
      .toSorted(),
  ).toEqual(decks.toSorted());
});

test("a deck can be removed from an exam, and removing the exam clears it from the other decks", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second] = await withDecks(ada, 2);
  const both = [first, second ?? ""];
  await ada.client.study.saveExam({ componentIds: both, examAt: EXAM_AT, minutesPerDay: 25 });
  await ada.client.study.saveExam({ componentIds: [first], examAt: EXAM_AT + DAY_MS, minutesPerDay: 10 });
  expect(await settingsOf(ada, first)).toMatchObject({ examAt: EXAM_AT + DAY_MS, minutesPerDay: 10, examId: null });
  expect(await settingsOf(ada, second ?? "")).toMatchObject({ examAt: null, minutesPerDay: null, examId: null });
  await ada.client.study.saveExam({ componentIds: [first], examAt: null, minutesPerDay: null });
  expect(await settingsOf(ada, first)).toMatchObject({ examAt: null, minutesPerDay: null });
});

test("a deck with an exam of its own leaves the shared one", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second] = await withDecks(ada, 2);
  await ada.client.study.saveExam({ componentIds: [first, second ?? ""], examAt: EXAM_AT, minutesPerDay: 25 });
  await ada.client.study.saveDeckSettings({ componentId: first, examAt: EXAM_AT + DAY_MS });
  expect(await settingsOf(ada, first)).toMatchObject({ examAt: EXAM_AT + DAY_MS, examId: null });
});

test("an exam that is changed keeps its id, which other devices know", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second = "", third = ""] = await withDecks(ada, 3);
  await ada.client.study.saveExam({ componentIds: [first, second], examAt: EXAM_AT, minutesPerDay: 25 });
  const { examId } = await settingsOf(ada, second);
  await ada.client.study.saveExam({ componentIds: [third, second], examAt: EXAM_AT, minutesPerDay: 40 });
  expect(await settingsOf(ada, third)).toMatchObject({ examId, minutesPerDay: 40 });
  expect(await settingsOf(ada, first)).toMatchObject({ examId: null });
});

test("a deck that left a joint exam keeps its minutes apart, and its next joint exam takes no deck of the first", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second = "", third = ""] = await withDecks(ada, 3);
  await ada.client.study.saveExam({ componentIds: [first, second], examAt: EXAM_AT, minutesPerDay: 25 });
  await ada.client.study.saveDeckSettings({ componentId: first, examAt: EXAM_AT + DAY_MS, minutesPerDay: 10 });
  const { exams } = await forecastStudy(ownedBy(api.deps.store, ada.userId), NOW);
  expect(new Set(exams.map(({ minutesPerDay }) => minutesPerDay))).toEqual(new Set([10, 25]));
  const later = EXAM_AT + 2 * DAY_MS;
  await ada.client.study.saveExam({ componentIds: [first, third], examAt: later, minutesPerDay: 5 });
  const [left, staying] = [await settingsOf(ada, first), await settingsOf(ada, second)];
  expect(staying).toMatchObject({ examAt: EXAM_AT, minutesPerDay: 25 });
  expect(left.examId).not.toBe(staying.examId);
});

test("an exam in the past, without minutes, or for another student's deck is refused with a message", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const [deck] = await withDecks(ada, 1);
  const save = (user: TestUser, examAt: number, minutesPerDay: number | null) =>
    user.client.study.saveExam({ componentIds: [deck], examAt, minutesPerDay });
  await expect(save(ada, NOW - 1, 20)).rejects.toMatchObject({ code: "bad_input", message: /future/ });
  await expect(save(ada, EXAM_AT, null)).rejects.toMatchObject({ code: "bad_input", message: /minutes/ });
  await expect(save(ada, EXAM_AT, 0)).rejects.toMatchObject({ code: "bad_input" });
  await expect(save(eve, EXAM_AT, 20)).rejects.toMatchObject({ code: "not_found" });
  expect(await settingsOf(ada, deck)).toMatchObject({ examAt: null });
});

test("a student's pace is returned with the deck once answers were timed", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [componentId] = await withDecks(ada, 1);
  for (const durationMs of [4000, 8000, 900_000]) {
    const review = { _id: ulid(), cardId: ulid(), componentId, grade: 3 as const, reviewedAt: NOW, durationMs };
    await send(ada, aChange("review_add", componentId, { ...review, mode: "study" }));
  }
  // A student who takes fifteen minutes for one card was away, so only two minutes count.
  expect(await ada.client.study.getDeckSchedule({ componentId })).toMatchObject({ secondsPerReview: 44 });
});

const answer = (componentId: string, reviewedAt: number, cardId = "card") => {
  const review = {
    _id: ulid(),
    cardId,
    componentId,
    grade: 3 as const,
    reviewedAt,
    durationMs: 60_000,
    mode: "study" as const,
  };
  return { review, change: aChange("review_add", componentId, review) };
};

test("statistics add up by day and deck, without undone answers", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [first, second] = await withDecks(ada, 2);
  const [a, b, c, d] = [
    answer(first, NOW - 3 * DAY_MS),
    answer(first, NOW),
    answer(second ?? "", NOW),
    answer(first, NOW, "other"),
  ];
  await send(ada, ...[a, b, c, d].map(({ change }) => change));
  await send(ada, aChange("review_undo", first, { reviewId: d.review._id }));
  const all = await ada.client.study.getStatistics({});
  expect(all.days).toEqual([
    { ago: 0, reviews: 2, minutes: 2 },
    { ago: 3, reviews: 1, minutes: 1 },
  ]);
  expect(all.calibration).toMatchObject({ count: 1, actual: 1 });
  const own = await ada.client.study.getStatistics({ componentId: second ?? "" });
  expect(own.days).toEqual([{ ago: 0, reviews: 1, minutes: 1 }]);
  expect(own.calibration.count).toBe(0);
});

test("the fitting status includes how many answers exist and are needed", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [componentId] = await withDecks(ada, 1);
  expect(await ada.client.study.getFit({})).toEqual({ reviews: 0, needed: 400, fit: null });
  const review = {
    _id: ulid(),
    cardId: "card",
    componentId,
    grade: 3 as const,
    reviewedAt: NOW,
    mode: "study" as const,
  };
  await send(ada, aChange("review_add", componentId, { ...review, durationMs: 0 }));
  await send(ada, aChange("review_add", componentId, { ...review, _id: ulid(), durationMs: 0 }));
  await send(ada, aChange("review_undo", componentId, { reviewId: review._id }));
  expect(await ada.client.study.getFit({})).toMatchObject({ reviews: 1 });
});
