import { ulid } from "ulid";
import { expect, test } from "vitest";
import { syncDueCalendars } from "#api/connections/calendar/sync-calendar.ts";
import { disconnectAll } from "#api/connections/disconnect.ts";
import { deleteDueAccounts } from "#api/user/delete-accounts.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { aGoogle, type Google } from "#tests/kit/servers/google.ts";
import type { StoredEvent } from "#tests/kit/servers/google-calendar.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface World {
  api: TestApi;
  google: Google;
  ada: TestUser;
  deckId: string;
}

/** A student with an exam in ten days, so that each day until then has a block at 17:00 UTC. */
async function aWorld(): Promise<World> {
  const google = await aGoogle();
  const api = await startApi({ env: google.env });
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Cells");
  const deckId = await aDeck(ada, pageId, [aCard("codon")]);
  await ada.client.study.saveExam({ componentIds: [deckId], examAt: api.clock.now() + 10 * DAY_MS, minutesPerDay: 30 });
  return { api, google, ada, deckId };
}

async function connect({ google, ada }: World): Promise<string> {
  const { authUrl } = await ada.client.connections.startGoogleCalendar({});
  const scopes = new URL(authUrl).searchParams.get("scope");
  expect(scopes).toMatch(/calendar\.app\.created .*calendar\.freebusy$/);
  const { connection } = await ada.client.connections.finishGoogle(await google.allow(authUrl));
  expect(connection.connection_type).toBe("google_calendar");
  return connection._id;
}

const eventsOf = ({ google }: World): StoredEvent[] =>
  [...google.calendar.calendars.values()].flatMap((events) => [...events.values()]);
const startsOf = (world: World) =>
  eventsOf(world)
    .filter(({ status }) => status !== "cancelled")
    .map(({ start }) => start.dateTime)
    .toSorted();

async function nextDay(world: World): Promise<void> {
  world.api.clock.advance(DAY_MS);
  expect(await syncDueCalendars(world.api.deps)).toBe(1);
}

test("blocks are in a calendar of their own, avoid the student's events, and are written only once", async () => {
  const world = await aWorld();
  world.google.calendar.busy = [{ start: "2026-09-02T16:45:00Z", end: "2026-09-02T18:10:00Z" }];
  await connect(world);
  const first = startsOf(world);
  expect(first.slice(0, 3)).toEqual([
    "2026-09-01T17:00:00.000Z",
    "2026-09-02T18:15:00.000Z",
    "2026-09-03T17:00:00.000Z",
  ]);
  expect(eventsOf(world)[0]).toMatchObject({ summary: "Study for your exam", transparency: "transparent" });
  await nextDay(world);
  expect(world.google.calendar.calendars.size).toBe(1);
  expect(new Set(eventsOf(world).map(({ start }) => start.dateTime.slice(0, 10))).size).toBe(eventsOf(world).length);
});

test("a new connection that could not be stored leaves the earlier one, which keeps its calendar", async () => {
  const world = await aWorld();
  const first = await connect(world);
  let isBroken = true;
  beforeStoreCall(world.api.deps.store, (call) => {
    if (isBroken && call === "connections.insert") throw new Error("the process ended");
  });
  await expect(connect(world)).rejects.toThrow();
  const connected = async () =>
    (await world.ada.client.connections.listConnections({})).connections.map(({ _id }) => _id);
  expect(await connected()).toEqual([first]);
  isBroken = false;
  const second = await connect(world);
  expect(await connected()).toEqual([second]);
  expect(world.google.calendar.calendars.size).toBe(1);
});

test("a moved block keeps its time, a deleted block stays deleted, and other blocks move to the new hour", async () => {
  const world = await aWorld();
  await connect(world);
  const find = (day: string) => {
    const found = eventsOf(world).find(({ start }) => start.dateTime.startsWith(day));
    if (!found) throw new Error(`No block on ${day}`);
    return found;
  };
  const [moved, deleted, past] = [find("2026-09-04"), find("2026-09-05"), find("2026-09-01")];
  moved.start = { dateTime: "2026-09-04T08:00:00+02:00" };
  moved.end = { dateTime: "2026-09-04T09:00:00+02:00" };
  deleted.status = "cancelled";
  world.api.clock.advance(DAY_MS);
  await world.ada.client.connections.saveCalendarFeed({ studyAt: "19:00" });
  expect(moved.start.dateTime).toBe("2026-09-04T08:00:00+02:00");
  expect(deleted.status).toBe("cancelled");
  expect(past.start.dateTime).toBe("2026-09-01T17:00:00.000Z");
  expect(find("2026-09-06").start.dateTime).toBe("2026-09-06T19:00:00.000Z");
  // The preview of the week shows the same blocks.
  const { blocks } = await world.ada.client.connections.getCalendarFeed({});
  const starts = Object.fromEntries(blocks.map(({ day, startAt }) => [day, new Date(startAt).toISOString()]));
  expect(starts).toMatchObject({ "2026-09-04": "2026-09-04T06:00:00.000Z", "2026-09-06": "2026-09-06T19:00:00.000Z" });
  expect(starts).not.toHaveProperty("2026-09-05");
});

test("blocks that are no longer needed are removed, and are added again when they are needed", async () => {
  const world = await aWorld();
  await connect(world);
  const exam = { componentIds: [world.deckId], minutesPerDay: 30 };
  await world.ada.client.study.saveExam({ ...exam, examAt: null });
  await nextDay(world);
  const future = startsOf(world).filter((start) => Date.parse(start) > world.api.clock.now());
  expect(future).toEqual([]);
  await world.ada.client.study.saveExam({ ...exam, examAt: world.api.clock.now() + 9 * DAY_MS });
  await nextDay(world);
  expect(startsOf(world)).toContain("2026-09-05T17:00:00.000Z");
});

test("a sync waits for Google's rate limit, recreates a deleted calendar, and reports revoked access", async () => {
  const world = await aWorld();
  const { google, api, ada } = world;
  google.calendar.limitedBy = 403;
  await connect(world);
  expect(google.calendar.calendars.size).toBe(0);
  google.calendar.limitedBy = 429;
  expect(await syncDueCalendars(api.deps)).toBe(0);
  api.clock.advance(HOUR_MS);
  expect(await syncDueCalendars(api.deps)).toBe(1);
  expect(google.calendar.calendars.size).toBe(0);
  google.calendar.limitedBy = undefined;
  expect(await syncDueCalendars(api.deps)).toBe(0);
  api.clock.advance(HOUR_MS);
  expect(await syncDueCalendars(api.deps)).toBe(1);
  expect(startsOf(world).length).toBeGreaterThan(5);
  google.calendar.calendars.clear();
  await nextDay(world);
  expect(startsOf(world).length).toBeGreaterThan(5);
  google.revoke();
  await nextDay(world);
  const { connections } = await ada.client.connections.listConnections({});
  expect(connections.map(({ is_active }) => is_active)).toEqual([false]);
  expect(await syncDueCalendars(api.deps)).toBe(0);
});

test("an access token that Google refuses is renewed, and the call is repeated", async () => {
  const world = await aWorld();
  await connect(world);
  const { tokens, expiredTokens } = world.google.calendar;
  for (const token of tokens) expiredTokens.add(token);
  await world.ada.client.connections.saveCalendarFeed({ studyAt: "18:00" });
  expect(startsOf(world)).toContain("2026-09-03T18:00:00.000Z");
  expect(tokens.size).toBe(expiredTokens.size + 1);
});

test("of two concurrent syncs only one creates the calendar, also after the student deleted it", async () => {
  const world = await aWorld();
  await connect(world);
  world.google.calendar.calendars.clear();
  world.api.clock.advance(DAY_MS);
  await Promise.all([
    syncDueCalendars(world.api.deps),
    world.ada.client.connections.saveCalendarFeed({ studyAt: "18:00" }),
  ]);
  expect(world.google.calendar.calendars.size).toBe(1);
  expect(startsOf(world)).toContain("2026-09-03T18:00:00.000Z");
});

test("a deleted account gets no more blocks, and permanent removal deletes its calendar and revokes the access", async () => {
  const world = await aWorld();
  const { api, google } = world;
  const admin = world.ada;
  const grace = await api.newUser();
  await connect({ ...world, ada: grace });
  expect(google.calendar.calendars.size).toBe(1);
  await grace.client.user.deleteAccount({ password: PASSWORD });
  google.calendar.tokens.clear();
  api.clock.advance(DAY_MS);
  expect(await syncDueCalendars(api.deps)).toBe(0);
  expect(google.calendar.tokens.size).toBe(0);
  api.clock.advance(30 * DAY_MS);
  expect(await deleteDueAccounts(api.deps, { sweepFiles: async () => undefined, disconnectAll })).toBe(1);
  expect(google.calendar.calendars.size).toBe(0);
  expect((await admin.client.connections.listConnections({})).connections).toEqual([]);
});

test("disconnecting removes the calendar, and a block that a review made unnecessary causes no error", async () => {
  const world = await aWorld();
  const id = await connect(world);
  const review = {
    _id: ulid(),
    componentId: world.deckId,
    cardId: "codon",
    grade: 4,
    reviewedAt: world.api.clock.now(),
    durationMs: 900,
    mode: "study",
  } as const;
  await send(world.ada, aChange("review_add", world.deckId, review));
  await nextDay(world);
  await world.ada.client.connections.removeConnection({ id });
  expect(world.google.calendar.calendars.size).toBe(0);
  expect((await world.ada.client.connections.listConnections({})).connections).toEqual([]);
});

test("another Google account gets a new calendar and the first one is removed; the same account keeps its calendar", async () => {
  const world = await aWorld();
  const { google, ada } = world;
  await connect(world);
  // Compared by identity, because the fake may give a new calendar the name of a removed one.
  const calendars = () => [...google.calendar.calendars.values()];
  const [first] = calendars();
  await connect(world);
  expect(calendars()).toHaveLength(1);
  expect(calendars()[0]).toBe(first);
  expect(google.revocations).toBe(0);
  google.account = "grace";
  await connect(world);
  const { connections } = await ada.client.connections.listConnections({});
  expect(connections.map(({ email }) => email)).toEqual(["grace@gmail.example"]);
  expect(calendars()).toHaveLength(1);
  expect(calendars()[0]).not.toBe(first);
  expect(google.revocations).toBe(1);
  // The blocks are in the new calendar, and later syncs write there too.
  expect(startsOf(world).length).toBeGreaterThan(5);
  await nextDay(world);
  expect(calendars()).toHaveLength(1);
});
