import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { durationPercentile, durationBucketKey, mergeEntries, weekOf } from "#shared/admin/figures.ts";
import { averageLogLoss, metrics, qualityBySource, toCohorts, toFunnel } from "#shared/admin/quality.ts";
import { saveRating } from "#api/feedback/ratings.ts";
import { grantAdmin } from "#api/auth/service.ts";
import { listDaysUntilNow } from "#api/store/figures/closed-days.ts";
import { figureDays, rollUpFigures } from "#api/store/figures/roll-up.ts";
import { countCardChanges, recordGeneratedCards } from "#api/store/figures/made-cards.ts";
import {
  addToFigure,
  recordFigure,
  dayOf,
  FIGURE_RECORD_DAYS,
  figureRecords,
} from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { contributeAtRandom } from "./seeded-instance.ts";

const NOW = Date.UTC(2026, 8, 16, 12);
const DAY_MS = 86_400_000;
const clock = { now: () => NOW };

const byGroup = (entries: readonly { dims: unknown; sums: unknown }[]) =>
  entries.map((entry) => JSON.stringify(entry)).toSorted();

/** Expects every day's document to equal a recount of the records. */
async function expectExact(store: DocumentStore): Promise<void> {
  const records = await store.collection(figureRecords).find({});
  const days = await store.collection(figureDays).find({});
  const keys = new Set(records.map(({ day, figure }) => `${day}:${figure}`));
  expect(new Set(days.map(({ _id }) => _id))).toEqual(keys);
  for (const { _id, entries } of days) {
    const recount = mergeEntries(records.filter(({ day, figure }) => `${day}:${figure}` === _id));
    expect([_id, byGroup(entries)]).toEqual([_id, byGroup(recount)]);
  }
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-figures-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the sum of a day equals a recount of its records, even if several processes sum it repeatedly", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  await Promise.all([
    contributeAtRandom(store, { count: 600, now: NOW }),
    rollUpFigures({ store, clock }),
    rollUpFigures({ store, clock }),
  ]);
  await Promise.all([rollUpFigures({ store, clock }), rollUpFigures({ store, clock })]);
  await expectExact(store);
  expect(await store.collection(figureRecords).count({ isDirty: true })).toBe(0);
});

/** Starts a separate process that counts; `state.rounds` is the number of rounds that it has finished writing. */
function startCounting(folder: string) {
  const child = spawn(process.execPath, ["tests/admin/count-until-killed.ts", folder, String(NOW)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const state = { rounds: 0 };
  child.stdout.on("data", (chunk: Buffer) => {
    state.rounds += chunk.toString().split("\n").length - 1;
  });
  const closed = once(child, "close");
  const finished = (rounds: number) =>
    expect.poll(() => state.rounds, { timeout: 60_000 }).toBeGreaterThanOrEqual(rounds);
  return { child, state, closed, finished };
}

test("the sums are exact after the process was killed", async () => {
  const folder = await aFolder();
  const { child, closed, finished } = startCounting(folder);
  await finished(4);
  child.kill("SIGKILL");
  await closed;
  const store = openSqlite({ folder });
  onTestFinished(() => store.close());
  await rollUpFigures({ store, clock });
  expect(await store.collection(figureRecords).count({})).toBeGreaterThan(20);
  await expectExact(store);
});

/** Calls that `contributeAtRandom` adds in each round; the answers that it adds are the same in each. */
const CALLS_PER_ROUND = 20;

async function listAnswers(store: DocumentStore): Promise<string[]> {
  const found = await store.collection(figureRecords).find({ figure: "answers" });
  return found.map(({ _id }) => _id).toSorted();
}

test("two processes that count at once lose nothing and count no retry twice, even if one is killed", async () => {
  const folder = await aFolder();
  const [killed, steady] = [startCounting(folder), startCounting(folder)];
  await Promise.all([killed.finished(3), steady.finished(3)]);
  killed.child.kill("SIGKILL");
  await killed.closed;
  await steady.finished(steady.state.rounds + 2);
  steady.child.stdin.end();
  expect(await steady.closed).toEqual([0, null]);

  const store = openSqlite({ folder });
  onTestFinished(() => store.close());
  await rollUpFigures({ store, clock });
  await expectExact(store);
  const single = openSqlite({ path: ":memory:" });
  onTestFinished(() => single.close());
  await contributeAtRandom(single, { count: 60, now: NOW });
  expect(await listAnswers(store)).toEqual(await listAnswers(single));
  const days = await store.collection(figureDays).find({ figure: "calls" });
  const calls = days.flatMap(({ entries }) => entries).reduce((sum, { sums }) => sum + (sums["calls"] ?? 0), 0);
  const written = (killed.state.rounds + steady.state.rounds) * CALLS_PER_ROUND;
  expect(calls).toBeGreaterThanOrEqual(written);
  // The process may have been killed in the middle of a round.
  expect(calls).toBeLessThanOrEqual(written + CALLS_PER_ROUND);
});

test("a repeated effect counts once and an older write never replaces a newer one", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const own = ownedBy(store, "ada");
  const answer = { figure: "answers", id: "one", at: NOW } as const;
  await recordFigure(own, { ...answer, sums: { answers: 1, verified: 5 }, sourceVersion: 2 });
  await recordFigure(own, { ...answer, at: NOW + DAY_MS, sums: { answers: 1, verified: 7 }, sourceVersion: 3 });
  await recordFigure(own, { ...answer, sums: { answers: 1, verified: 1 }, sourceVersion: 1 });
  await addToFigure(own, { figure: "calls", id: "day", at: NOW, sums: { calls: 1 } });
  await addToFigure(own, { figure: "calls", id: "day", at: NOW, sums: { calls: 1, failed: 1 } });
  await rollUpFigures({ store, clock });
  const days = await store.collection(figureDays).find({});
  expect(
    days.map(({ _id, entries }) => [_id, entries[0]?.sums] as const).toSorted(([a], [b]) => a.localeCompare(b)),
  ).toEqual([
    ["2026-09-16:answers", { answers: 1, verified: 7 }],
    ["2026-09-16:calls", { calls: 2, failed: 1 }],
  ]);
});

test("when a day closes, its sum stays, its records are erased, and later effects are dropped", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const own = ownedBy(store, "ada");
  await recordFigure(own, { figure: "answers", id: "one", at: NOW, sums: { answers: 1 } });
  await rollUpFigures({ store, clock });
  const later = { now: () => NOW + (FIGURE_RECORD_DAYS + 1) * DAY_MS };
  await recordFigure(own, { figure: "answers", id: "two", at: NOW, sums: { answers: 1 } });
  await rollUpFigures({ store, clock: later });
  expect(await store.collection(figureRecords).count({})).toBe(0);
  expect((await store.collection(figureDays).find({}))[0]?.entries).toEqual([{ dims: {}, sums: { answers: 1 } }]);
});

const card = (id: string, answer = "codons", isSuspended = false) => ({
  id,
  question: "What is read?",
  answer,
  isSuspended,
});

test("generated cards that are edited or removed within 14 days do not count as unchanged; restored and suspended cards do", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const own = ownedBy(store, "ada");
  const createdAt = NOW - 3 * DAY_MS;
  const dims = { model: "small", version: "1" };
  const cardIds = ["a", "b", "c", "d"];
  await recordGeneratedCards(own, { generationId: "g", deckId: "deck", createdAt, dims, cardIds });
  const all = cardIds.map((id) => card(id));
  const change = (before: typeof all, after: typeof all, now = NOW) =>
    countCardChanges(own, { deckId: "deck", before, after, now });
  const edited = [card("a", "codons of RNA"), card("b"), card("own")];
  await change(all, edited);
  await change(all, edited);
  await change(edited, [...edited, card("d")]);
  await change([card("a"), card("b")], [card("a", "codons", true), card("b", "codons", true)]);
  await change([card("b", "codons", true)], [card("b")]);
  await change(all, [], NOW + 14 * DAY_MS);
  const week = weekOf(new Date(createdAt).toISOString().slice(0, 10));
  await rollUpFigures({ store, clock });
  const [day] = await store.collection(figureDays).find({ figure: "made_cards" });
  expect(day?.entries).toEqual([{ dims, sums: { made: 4, edited: 1, editedChars: 7, removed: 1, suspended: 1 } }]);
  const figures = { week, figures: { made_cards: day?.entries ?? [] } };
  expect(metrics.cardsUnchanged(figures, {}, NOW)).toBeNull();
  expect(metrics.cardsUnchanged(figures, {}, NOW + 20 * DAY_MS)).toBe(0.5);
  expect(metrics.editDistance(figures, {})).toBe(7);
});

const aWeekOfCards = (day: string, made: Record<string, number>) => ({
  week: day,
  figures: {
    generations: [
      { dims: { source: "pdf" }, sums: { generations: 2, cards: 20, rejected_leak: 3, rejected_vague: 1 } },
      { dims: { source: "video" }, sums: { generations: 1, cards: 5 } },
    ],
    made_cards: [{ dims: { source: "pdf" }, sums: made }],
  },
});

test("cards made and kept are compared by kind of source, without cards younger than 14 days", () => {
  const weeks = [
    aWeekOfCards("2026-08-17", { made: 20, edited: 3, removed: 2 }),
    aWeekOfCards("2026-09-14", { made: 20, removed: 20 }),
  ];
  expect(qualityBySource(weeks, NOW)).toEqual([
    { source: "pdf", generations: 4, cards: 40, rejected: 8, unchanged: 0.75 },
    { source: "video", generations: 2, cards: 10, rejected: 0, unchanged: null },
  ]);
});

test("percentiles of merged durations are right to within a bucket", () => {
  const sums: Record<string, number> = {};
  for (let ms = 100; ms <= 10_000; ms += 100) sums[durationBucketKey(ms)] = (sums[durationBucketKey(ms)] ?? 0) + 1;
  for (const [share, exact] of [
    [0.5, 5000],
    [0.95, 9500],
  ] as const) {
    const found = durationPercentile(sums, share) ?? 0;
    expect(found).toBeGreaterThanOrEqual(exact);
    expect(found).toBeLessThan(exact * Math.SQRT2);
  }
  expect(durationPercentile({}, 0.5)).toBeUndefined();
  expect(averageLogLoss(0.5)).toBeCloseTo(Math.log(2));
});

test("a student's answers, cards and thumbs become figures without their text", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  await aText(ada, pageId, "The ribosome reads messenger RNA one codon at a time.");
  const { message } = await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  await ask(ada.client, aQuestion({ text: "Who won the football match?" }));
  const thumb = { kind: "answer", id: message._id, model: "lamplight-builtin" } as const;
  await ada.client.feedback.rate({ ...thumb, value: "up" });
  await ada.client.feedback.rate({ ...thumb, value: "down", reason: "Too short", text: "The ribosome reads" });

  const { weeks, days } = await admin.client.admin.getFigures({ weeks: 2 });
  const week = weeks.at(-1);
  if (!week) throw new Error("no week was counted");
  expect(week.week).toBe(weekOf(new Date(api.clock.now()).toISOString().slice(0, 10)));
  const filter = { model: "lamplight-builtin" };
  expect(metrics.citationsVerified(week, filter)).toBe(1);
  expect(metrics.coverage(week, filter)).toBe(0.5);
  expect(metrics.notInSources(week, filter)).toBe(0.5);
  expect(metrics.thumbsUp(week, filter)).toBe(0);
  expect(metrics.coverage(week, { model: "another" })).toBeNull();
  expect(days.at(-1)?.active).toBe(2);
  expect(toFunnel([week])).toContainEqual({ step: "answer", accounts: 1 });
  expect(toCohorts([week])).toEqual([{ cohort: week.week, active: [2] }]);
  expect(JSON.stringify(weeks)).not.toContain("ribosome");
  expect(JSON.stringify(weeks)).not.toContain(ada.userId);

  const { ratings } = await admin.client.admin.listRatings({ value: "down" });
  expect(ratings).toMatchObject([{ kind: "answer", reason: "Too short", text: "The ribosome reads" }]);
  expect(JSON.stringify(ratings)).not.toContain(ada.userId);
  expect((await admin.client.admin.listRatings({ kind: "card" })).ratings).toEqual([]);
  await ada.client.feedback.rate({ ...thumb, value: "none" });
  expect((await admin.client.admin.listRatings({})).ratings).toEqual([]);
  const [after] = (await admin.client.admin.getFigures({ weeks: 1 })).weeks;
  expect(after && metrics.thumbsUp(after, {})).toBeNull();
});

test("calls of a model server are listed by account, feature and model, with what they cost", async () => {
  const reply = 'It reads RNA. [P1: "reads messenger RNA one codon"] It sings. [P1: "sings at night loudly"]';
  const server = await startModelServer({ say: () => reply });
  onTestFinished(() => server.close());
  const env = { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", AI_PRICES: "test-model=2/8" };
  const api = await startApi({ env: { REGISTRATION: "open", ...env }, realClock: true });
  const admin = await api.newUser({ name: "Root" });
  await grantAdmin(api.deps, admin.email, true);
  const ada = await api.newUser({ plan: "ULTIMATE" });
  const pageId = await aPage(ada);
  await aText(ada, pageId, "The ribosome reads messenger RNA one codon at a time.");
  await ask(ada.client, aQuestion({ text: "What does the ribosome read?" }));
  const { uses } = await admin.client.admin.listModelUse({ account: ada.userId });
  expect(uses[0]).toMatchObject({ accountId: ada.userId, feature: "tutor", model: "test-model", failed: 0 });
  const { calls, tokensIn, tokensOut, microDollars, p95Ms } = uses[0] ?? {};
  expect(calls).toBeGreaterThan(0);
  expect(p95Ms).toBeGreaterThan(0);
  // Each call is rounded on its own.
  expect(Math.abs((microDollars ?? 0) - ((tokensIn ?? 0) * 2 + (tokensOut ?? 0) * 8))).toBeLessThan(5);
  const [week] = (await admin.client.admin.getFigures({ weeks: 1 })).weeks;
  expect(week && metrics.citationsVerified(week, { model: "test-model" })).toBe(0.5);
  expect((await admin.client.admin.listModelUse({ feature: "quiz" })).uses).toEqual([]);
  let csv = "";
  for await (const chunk of admin.client.admin.exportModelUse({})) csv += chunk;
  expect(csv.split("\r\n")).toHaveLength(uses.length + 2);
});

test("a list is downloaded whole, and no cell can be run by a spreadsheet", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const admin = await api.newUser({ name: "=HYPERLINK(1)" });
  await grantAdmin(api.deps, admin.email, true);
  const ada = await api.newUser();
  const rating = { kind: "card", value: "up", reason: 'said "good", twice', text: "", model: "none" } as const;
  const rate = (id: string) => saveRating(ownedBy(api.deps.store, ada.userId), { ...rating, id }, api.clock.now());
  await Promise.all(Array.from({ length: 520 }, (_, at) => rate(`card-${at}`)));
  let csv = "";
  for await (const chunk of admin.client.admin.exportRatings({})) csv += chunk;
  const lines = csv.trimEnd().split("\r\n");
  expect(lines).toHaveLength(521);
  expect(lines[1]).toContain('"said ""good"", twice"');
  let accounts = "";
  for await (const chunk of admin.client.admin.exportAccounts({})) accounts += chunk;
  expect(accounts).toContain(",'=HYPERLINK(1),");
});

test("closed and open days are listed together, even after a request for earlier days or when another day closes", async () => {
  const store = openSqlite({ path: ":memory:" });
  onTestFinished(() => store.close());
  const dayAgo = (days: number) => dayOf(NOW - days * DAY_MS);
  const agos = [100, 50, FIGURE_RECORD_DAYS + 1, FIGURE_RECORD_DAYS, 0];
  for (const day of agos.map(dayAgo))
    await store.collection(figureDays).insert({ _id: `${day}:signup`, day, figure: "signup", rev: 1, entries: [] });
  const list = async (from: number, now = NOW) =>
    (await listDaysUntilNow(store, dayAgo(from), now)).map(({ day }) => day);
  expect(await list(60)).toEqual(agos.slice(1).map(dayAgo));
  expect(await list(120)).toEqual(agos.map(dayAgo));
  expect(await list(45)).toEqual(agos.slice(2).map(dayAgo));
  expect(await list(20)).toEqual([dayAgo(0)]);
  expect(await list(120, NOW + DAY_MS)).toEqual(agos.map(dayAgo));
});
