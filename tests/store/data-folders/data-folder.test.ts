import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AnalysisEvent } from "#shared/pdf/analysis.ts";
import { findPayer, listDuePayers, startRefresh } from "#api/billing/store.ts";
import { getNewestVersion, migrations } from "#api/store/migrations.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";
import { listIdle } from "#api/study/optimizer-queue.ts";
import { startApi } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import type { fillAccount } from "./fill-accounts.ts";
import { readEverything } from "./read-everything.ts";
import { ownFolder } from "../own-folder.ts";

const folder = import.meta.dirname;
const recorded = readdirSync(folder).flatMap((name) => /^version-(\d+)\.backup$/.exec(name)?.[1] ?? []);
/** Version 1 was recorded with fewer things. */
const recordedWithMore = recorded.filter((version) => version !== "1");
const DAY_MS = 86_400_000;

type Everything = Awaited<ReturnType<typeof readEverything>>;

interface Recording extends Pick<Awaited<ReturnType<typeof fillAccount>>, "change" | "deck" | "document"> {
  madeAt: number;
  email: string;
  token: string;
  everything: Everything;
  studentToken: string;
  student: Everything;
}

/** Fields that are computed from a page's decks on every read, or set by it, so stored values do not matter. */
const DERIVED = new Set(["isFlashcardPage", "flashcardTitle", "flashcardLastOpenedAt", "last_opened"]);
const withoutDerived = (key: string, value: unknown) => (DERIVED.has(key) ? undefined : value);

const readRecording = (version: string) =>
  JSON.parse(readFileSync(join(folder, `version-${version}.json`), "utf8"), withoutDerived) as Recording;

async function openRecorded(version: string, madeAt: number) {
  const dataDir = join(ownFolder(), "data");
  await restoreBackup(dataDir, join(folder, `version-${version}.backup`), { replace: false });
  return startApi({ dataDir, clock: fakeClock(madeAt), env: { REGISTRATION: "open" } });
}

test("every earlier data version has a recorded data folder", () => {
  const versions = recorded.map(Number).toSorted((a, b) => a - b);
  expect(versions.length).toBeGreaterThan(0);
  for (let version = 1; version < getNewestVersion(migrations); version += 1) expect(versions).toContain(version);
});

test.each(recorded)("a data folder of version %s opens with all its data", async (version) => {
  const { madeAt, email, token, everything } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  // Version 1 was recorded with three more lists, which are empty.
  expect({ ...everything, ...(await readEverything(api.clientFor(token))) }).toMatchObject(everything);

  const { token: fresh } = await api.clientFor().auth.login({ email, password: PASSWORD });
  const { sources, pages } = await readEverything(api.clientFor(fresh));
  expect({ sources, pages }).toMatchObject({ sources: everything.sources, pages: everything.pages });
  expect((await api.clientFor(fresh).library.search({ q: "codon" })).found.length).toBeGreaterThan(0);
  await api.stop();
});

test.each(recordedWithMore)("cards of version %s stay due or suspended, and a new review counts", async (version) => {
  const { madeAt, token, deck } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  const { study, user, sync } = api.clientFor(token);
  api.clock.advance(3 * DAY_MS);
  expect((await study.getDue({})).decks).toMatchObject([{ componentId: deck, due: 1, fresh: 1 }]);
  const review = { _id: "01M8MP6CWSV4MK5M0B8QM42Y99", componentId: deck, cardId: "codon", grade: 3 as const };
  const data = { ...review, reviewedAt: api.clock.now(), durationMs: 900, mode: "study" as const };
  const change = { id: review._id, clientId: "phone", seq: 1, type: "review_add" as const, resourceId: deck };
  const { failed } = await sync.sendChanges({ payload: [{ ...change, data, createdAt: 1 }] });
  expect(failed).toEqual([]);
  expect((await study.getDue({})).decks).toMatchObject([{ componentId: deck, due: 0, fresh: 1 }]);
  expect((await user.getUsage({})).totalCardsStudied).toBe(1);
});

test.each(recordedWithMore)("a change that version %s applied is not applied again", async (version) => {
  const { madeAt, token, change } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  const client = api.clientFor(token);
  const before = await client.pages.getComponent({ id: change.resourceId });
  expect((await client.sync.sendChanges({ payload: [change] })).failed).toEqual([]);
  expect(await client.pages.getComponent({ id: change.resourceId })).toEqual(before);
});

test.each(recordedWithMore)("only the first account of version %s stays administrator", async (version) => {
  const { madeAt, token, studentToken, student } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  const newcomer = await api.clientFor().auth.register({ name: "Cem", email: "cem@example.org", password: PASSWORD });
  expect(newcomer.user.isAdmin).toBe(false);
  expect(student.accesses.accesses).toHaveLength(1);
  expect((await readEverything(api.clientFor(studentToken))).accesses).toEqual(student.accesses);
  const { posts } = await api.clientFor(token).admin.listPosts({});
  expect(posts).toMatchObject([{ slug: "sleep-before-exams", summaries: { en: { topicName: "Memory" } } }]);
});

test.each(recordedWithMore)("plans and fits that were due in version %s are still due", async (version) => {
  const { madeAt, everything } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  const { store } = api.deps;
  const own = ownedBy(store, everything.user._id);
  const due = await listDuePayers(store, madeAt, 10);
  expect(due).toMatchObject([{ ownerId: own.ownerId, customerId: "cus_recorded" }]);
  expect((await findPayer(own))?.refreshAt).toBe(madeAt);
  // A missing count would replace the plan that the account had before it paid.
  expect((await startRefresh(own))?.billing.refreshCount).toBe(2);
  expect((await listIdle(store, madeAt)).map((candidate) => candidate.own.ownerId)).toEqual([own.ownerId]);
});

test.each(recordedWithMore)("a summary of version %s is not generated again", async (version) => {
  const { madeAt, token, document } = readRecording(version);
  const api = await openRecorded(version, madeAt);
  const events: AnalysisEvent[] = [];
  for await (const event of api.clientFor(token).pdf.sumUp({ id: document })) events.push(event);
  expect(events).toMatchObject([{ type: "started", isStored: true }, { type: "part" }, { type: "end" }]);
});
