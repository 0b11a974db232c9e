import { ulid } from "ulid";
import type { FigureEntry, FigureName, Sums } from "#shared/admin/figures.ts";
import { durationBucketKey, forecastSums, rejectedSumKey, weekOf } from "#shared/admin/figures.ts";
import type { WrittenCardGate } from "#shared/cards/gates/gate-names.ts";
import { users, type UserDoc } from "#api/http/authenticate.ts";
import { ratings } from "#api/feedback/ratings.ts";
import { addToFigure, recordFigure, dayOf, FIGURE_RECORD_DAYS } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { figureDays } from "#api/store/figures/roll-up.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { seededRandom } from "#tests/kit/random.ts";
import { inBatches, seedLists, type Size } from "./seeded-lists.ts";

const DAY_MS = 86_400_000;
/** Few students share the text that they rate. */
const SHARED_EVERY = 50;

/**
 * Fills an installation as it looks after a year: accounts, the figures of every day, and the administrators' lists.
 * Closed days have only sums, as in production.
 */
export async function seedInstance(store: DocumentStore, size: Size): Promise<{ accountIds: string[] }> {
  const random = seededRandom(25);
  const pick = (below: number) => Math.floor(random() * below);
  const { now, days } = size;
  const createdAtOf = (at: number) => now - Math.floor(((size.accounts - at) / size.accounts) * days) * DAY_MS;
  const accountIds = Array.from({ length: size.accounts }, (_, at) => ulid(createdAtOf(at)));
  await inBatches(size.accounts, (at) =>
    store.collection(users).insert(anAccount(accountIds[at] ?? "", at, createdAtOf(at))),
  );
  await seedDays(store, size, pick);
  const features = ["tutor", "flashcards", "research", "pdf_analysis"];
  await inBatches(size.rows, async (at) => {
    const own = ownedBy(store, accountIds[at % accountIds.length] ?? "");
    const when = now - pick(FIGURE_RECORD_DAYS - 1) * DAY_MS;
    const dims = { model: modelAt(at, pick), feature: features[pick(4)] ?? "" };
    const sums = {
      calls: 1,
      failed: pick(20) === 0 ? 1 : 0,
      tokensIn: pick(4000),
      tokensOut: pick(900),
      microDollars: pick(5000),
      [durationBucketKey(pick(9000))]: 1,
    };
    const file = `file-${pick(2000)}`;
    const id = `${dayOf(when)}:${dims.feature}:${dims.model}:${file}`;
    await addToFigure(own, { figure: "calls", id, at: when, dims, sums, file });
  });
  await inBatches(size.rows, (at) => {
    const own = ownedBy(store, accountIds[at % accountIds.length] ?? "");
    const when = now - pick(FIGURE_RECORD_DAYS - 1) * DAY_MS;
    const dims = { model: modelAt(at, pick), version: "1.0.0", source: sourceOf(pick(4)) };
    return recordFigure(own, { figure: "generations", id: `job-${at}`, at: when, dims, sums: aGeneration(1, pick) });
  });
  await inBatches(size.rows, (at) => {
    const createdAt = now - pick(days) * DAY_MS;
    const ownerId = accountIds[at % accountIds.length] ?? "";
    const kind = at % 7 === 0 ? "card" : "answer";
    const _id = `${ownerId}:${kind}:${ulid(createdAt)}${at}`;
    const key = `${new Date(createdAt).toISOString()}:${_id}`;
    const value = pick(5) === 0 ? "down" : "up";
    const text = at % SHARED_EVERY === 0 ? "Words that a student shared." : "";
    const rating = { kind, value, reason: "", text, model: modelAt(at, pick), version: "1.0.0" } as const;
    return store.collection(ratings).insert({ _id, ownerId, ...rating, createdAt, key });
  });
  await seedLists(store, { ...size, accountIds }, pick);
  return { accountIds };
}

const MODELS = ["model-small", "model-large", "model-old"];
/** A model that hardly anyone uses: the worst case for a filter. */
const RARE_MODEL_EVERY = 5000;
const modelAt = (at: number, pick: (below: number) => number): string =>
  at % RARE_MODEL_EVERY === 0 ? "model-rare" : (MODELS[pick(MODELS.length)] ?? "");

const TIMEZONES = ["Europe/Berlin", "America/New_York", "UTC", "Asia/Tokyo"];
const RARE_TIMEZONE_EVERY = 2000;

function anAccount(_id: string, at: number, createdAt: number): UserDoc {
  const type = at % 9 === 0 ? "PLUS" : at % 31 === 0 ? "ULTIMATE" : "FREE";
  const timezone = at % RARE_TIMEZONE_EVERY === 1 ? "Pacific/Pitcairn" : (TIMEZONES[at % TIMEZONES.length] ?? "UTC");
  const email = `seeded${at}@example.org`;
  return {
    _id,
    name: `Student ${at}`,
    email,
    emailLower: email,
    passwordHash: null,
    timezone,
    profilePictureUrl: null,
    seenFeatures: [],
    onboardingComplete: true,
    plan: { type, startAt: createdAt, endAt: null, paused: false, pausedUntil: null } as unknown as UserDoc["plan"],
    authProvider: at % 4 === 0 ? "GOOGLE_OAUTH_2" : "EMAIL_PASSWORD",
    isAdmin: false,
    referralCode: at % 40 === 0 ? "friend" : null,
    createdAt,
  };
}

/** The closed days of a year, which have only sums. */
async function seedDays(store: DocumentStore, { days, now, accounts, rows }: Size, pick: (below: number) => number) {
  const figures: Partial<Record<FigureName, (at: number) => FigureEntry[]>> = {
    signup: () => [{ dims: {}, sums: { accounts: Math.ceil(accounts / days) } }],
    active_day: () => [{ dims: {}, sums: { accounts: pick(accounts / 10) + accounts / 20 } }],
    answers: () => [anAnswerEntry("model-small", pick), anAnswerEntry("lamplight-builtin", pick)],
    generations: (at) => [
      {
        dims: { model: "model-small", version: "1.0.0", source: sourceOf(at) },
        sums: aGeneration(Math.ceil(rows / FIGURE_RECORD_DAYS), pick),
      },
    ],
    made_cards: (at) => [
      {
        dims: { model: "model-small", version: "1.0.0", source: sourceOf(at) },
        sums: {
          made: 900,
          edited: 60 + pick(60),
          removed: 80 + pick(60),
          suspended: pick(20),
          editedChars: 1400 + pick(400),
        },
      },
    ],
    study: () => [{ dims: { version: "1.0.0" }, sums: aDayOfStudy(pick) }],
    exams: () => [{ dims: { version: "1.0.0" }, sums: { exams: 9, cards: 700, recalled: 600 + pick(60) } }],
    usage: () => [
      { dims: { version: "1.0.0" }, sums: { assistantMessages: 800 + pick(100), assistantMessagesRefunded: pick(30) } },
    ],
    ratings: () => [
      { dims: { kind: "answer", model: "model-small", version: "1.0.0" }, sums: { up: pick(60), down: pick(9) } },
    ],
    completions: () => [
      { dims: { model: "model-small", version: "1.0.0" }, sums: { offeredWords: 900, takenWords: 200 + pick(90) } },
    ],
    step: () =>
      ["source", "card", "review", "answer"].map((step) => ({ dims: { step }, sums: { accounts: pick(13) } })),
    sites: () => [
      {
        dims: { model: "model-small", version: "1.0.0" },
        sums: { builds: 20, goodAtFirst: 12 + pick(8), repairs: 4 + pick(8), restored: pick(2) },
      },
    ],
    calls: () => [
      {
        dims: { model: "model-small", feature: "tutor" },
        sums: { calls: Math.ceil(rows / FIGURE_RECORD_DAYS), microDollars: 90_000 },
      },
    ],
  };
  const names = Object.entries(figures) as [FigureName, (at: number) => FigureEntry[]][];
  await inBatches(days, async (ago) => {
    const day = dayOf(now - (ago + 1) * DAY_MS);
    for (const [figure, entries] of names)
      await store
        .collection(figureDays)
        .upsert({ _id: `${day}:${figure}`, day, figure, rev: 1, entries: entries(ago) });
    if (day.endsWith("-01"))
      await store.collection(figureDays).upsert({
        _id: `${day}:active_month`,
        day,
        figure: "active_month",
        rev: 1,
        entries: [{ dims: {}, sums: { accounts: accounts / 2 + pick(accounts / 4) } }],
      });
    if (day !== weekOf(day)) return;
    const cohorts = Array.from({ length: 8 }, (_, age) => weekOf(dayOf(Date.parse(day) - age * 7 * DAY_MS)));
    const entries = cohorts.map((cohort, age) => ({ dims: { cohort }, sums: { accounts: Math.ceil(95 / (age + 1)) } }));
    await store
      .collection(figureDays)
      .upsert({ _id: `${day}:active_week`, day, figure: "active_week", rev: 1, entries });
  });
}

const SOURCES = ["pdf", "video", "text", "mixed"] as const;
const sourceOf = (at: number) => SOURCES[at % SOURCES.length] ?? "mixed";

const anAnswerEntry = (model: string, pick: (below: number) => number): FigureEntry => ({
  dims: { model, version: "1.0.0" },
  sums: { answers: 400, verified: 900 + pick(80), dropped: pick(25), covered: 360 + pick(30), notInSources: pick(30) },
});

const rejectedCards = (counts: Partial<Record<WrittenCardGate, number>>): Sums =>
  Object.fromEntries(Object.entries(counts).map(([gate, count]) => [rejectedSumKey(gate), count]));

/** The sums of `count` generations. In a single generation, few gates reject a card. */
function aGeneration(count: number, pick: (below: number) => number): Sums {
  const upTo = (perGeneration: number) => Math.floor((perGeneration * count * pick(100)) / 100);
  return {
    generations: count,
    cards: 8 * count + upTo(8),
    failed: count === 1 ? Number(pick(50) === 0) : upTo(0.05),
    ...rejectedCards({
      quote_not_in_source: upTo(4),
      duplicate: upTo(3),
      answer_in_question: upTo(2),
      needs_context: upTo(1.5),
      wrong_language: upTo(1),
      foreign_markup: upTo(0.2),
      quote_does_not_answer: upTo(1),
    }),
    [durationBucketKey(700 + pick(1200))]: count,
  };
}

function aDayOfStudy(pick: (below: number) => number): Sums {
  const tests = [5, 6, 7, 8, 9].map((bin) => {
    const count = 60 * bin;
    const right = Math.round(count * ((bin + 0.5) / 10 + (pick(9) - 4) / 200));
    return { bin, count, predicted: (count * (bin + 0.5)) / 10, right, loss: count * (0.33 + pick(9) / 1000) };
  });
  const byDefaults = tests.map((test) => ({
    ...test,
    predicted: test.predicted + test.count * 0.03,
    loss: test.loss + test.count * 0.02,
  }));
  return {
    reviews: 4000 + pick(900),
    leeches: pick(9),
    ...forecastSums("scheduler", tests),
    ...forecastSums("defaults", byDefaults),
  };
}

/** Adds random effects of a few accounts; some are repeated with other numbers, as after a crash. */
export async function contributeAtRandom(store: DocumentStore, { count, now }: { count: number; now: number }) {
  const random = seededRandom(7);
  const pick = (below: number) => Math.floor(random() * below);
  await inBatches(count, async (at) => {
    const own = ownedBy(store, `account-${pick(20)}`);
    const dims = { model: pick(2) === 0 ? "small" : "large", version: "1.0.0" };
    const when = now - pick(5) * DAY_MS;
    await recordFigure(own, {
      figure: "answers",
      id: `answer-${pick(count / 2)}`,
      at: when,
      dims,
      sums: { answers: 1, verified: pick(9) },
    });
    if (at % 3 === 0) await addToFigure(own, { figure: "calls", id: dayOf(when), at: when, dims, sums: { calls: 1 } });
  });
}
