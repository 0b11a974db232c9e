import { createHash } from "node:crypto";
import { placeBlocks, planStudyBlocks, type StudyBlock } from "#shared/connections/study-blocks.ts";
import { Failure } from "#shared/contract/failure.ts";
import { isInactive } from "#api/http/authenticate.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { forecastStudy } from "#api/study/forecast.ts";
import {
  changeConnection,
  type ConnectionDoc,
  findCalendarConnection,
  listDueCalendars,
  replaceCalendar,
} from "../store.ts";
import { readBlockTexts } from "./block-texts.ts";
import { findFeed } from "./feed-store.ts";
import {
  AccessLostError,
  type CalendarDeps,
  type CalendarEvent,
  CalendarGoneError,
  GoogleCalendar,
} from "./google-calendar.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const INTERVAL_MS = 10 * 60_000;
const MAX_PER_RUN = 20;
/** A block is rewritten when the forecast moved by more than this share of its length. */
const CHANGE_SHARE = 0.2;

/** Writes the blocks of the next two weeks into the account's own calendar at Google. */
async function syncCalendar(deps: CalendarDeps, own: Own, connection: ConnectionDoc): Promise<void> {
  const calendar = new GoogleCalendar(deps, own, connection);
  const make = () => makeCalendar(deps, own, connection, calendar);
  const write = (calendarId: string) => writeBlocks(deps, own, { calendar, calendarId });
  const syncedBlocks = await write(connection.calendarId ?? (await make())).catch(async (error: unknown) => {
    if (!(error instanceof CalendarGoneError)) throw error;
    // The student deleted the calendar but not the connection, so create the calendar again.
    return write(await make());
  });
  await changeConnection(own, connection._id, { syncedBlocks, syncAt: deps.clock.now() + DAY_MS });
}

/** If two calls run at once, one calendar stays and the other call removes its own. */
async function makeCalendar(deps: CalendarDeps, own: Own, connection: ConnectionDoc, calendar: GoogleCalendar) {
  const [{ name }, { timezone }] = await Promise.all([
    readBlockTexts(own, deps.settings),
    forecastStudy(own, deps.clock.now()),
  ]);
  const made = await calendar.create(name, timezone);
  const calendarId = await replaceCalendar(own, connection, made);
  if (calendarId !== made) await calendar.remove(made);
  return calendarId;
}

interface Target {
  calendar: GoogleCalendar;
  calendarId: string;
}

async function writeBlocks(
  { settings, clock }: CalendarDeps,
  own: Own,
  { calendar, calendarId }: Target,
): Promise<PlacedBlock[]> {
  const now = clock.now();
  const [{ studyAt }, forecast, texts] = await Promise.all([
    findFeed(own),
    forecastStudy(own, now),
    readBlockTexts(own, settings),
  ]);
  const planned = planStudyBlocks(forecast, studyAt, now);
  const events = new Map((await calendar.listEvents(calendarId, now - DAY_MS)).map((event) => [event.id, event]));
  const until = (planned.at(-1)?.endAt ?? now) + DAY_MS;
  const blocks = placeBlocks(planned, planned.length === 0 ? [] : await calendar.listBusy(now, until));
  const wanted = new Set<string>();
  const syncedBlocks: PlacedBlock[] = [];
  for (const block of blocks) {
    const id = eventId(own.ownerId, block.day);
    wanted.add(id);
    const content = { summary: texts.summaryOf(block), description: texts.description };
    const written = { block, content, change: changeOf(events.get(id), block, content, now), url: texts.url };
    const times = await writeBlock({ calendar, calendarId }, id, events.get(id), written);
    syncedBlocks.push({ day: block.day, times });
  }
  // The days of these events no longer have cards. Record that we withdrew them, so that they can be distinguished from
  // events that the student deleted.
  for (const event of events.values())
    if (!wanted.has(event.id) && isUnchanged(event, now))
      await calendar.patch(calendarId, event.id, { status: "cancelled", ...withPrivate(event, { withdrawn: "1" }) });
  return syncedBlocks;
}

interface WrittenBlock {
  block: StudyBlock;
  content: { summary: string; description: string };
  change: object | undefined;
  url: string;
}

/** Creates or updates the block's event, and returns its times in the calendar. */
async function writeBlock(
  { calendar, calendarId }: Target,
  id: string,
  event: CalendarEvent | undefined,
  { block, content, change, url }: WrittenBlock,
): Promise<PlacedBlock["times"]> {
  if (!event) {
    const isNew = await calendar.insert(calendarId, { id, ...content, ...timesOf(block), ...fixedFields(url) });
    return isNew ? spanOf(block) : null;
  }
  if (change) await calendar.patch(calendarId, id, change);
  return change && "start" in change ? spanOf(block) : shownTimes(event);
}

type PlacedBlock = NonNullable<ConnectionDoc["syncedBlocks"]>[number];

const spanOf = ({ startAt, endAt }: Pick<StudyBlock, "startAt" | "endAt">) => ({ startAt, endAt });

/** An event's times in the calendar; null if it is deleted or now lasts the whole day. */
function shownTimes(event: CalendarEvent): PlacedBlock["times"] {
  const times = currentTimes(event);
  return event.status === "cancelled" || Number.isNaN(times.startAt + times.endAt) ? null : times;
}

/** Our own id, so that a repeated insertion cannot create a second event. In base32hex, as Google requires. */
const eventId = (ownerId: string, day: string) =>
  `ll${BigInt(`0x${createHash("sha256").update(`${ownerId}:${day}`).digest("hex").slice(0, 40)}`).toString(32)}`;

const iso = (time: number) => ({ dateTime: new Date(time).toISOString() });
/** Encodes the times that we wrote. If an event has other times, the student moved it. */
const encodeTimes = (startAt: number, endAt: number) => `${startAt}-${endAt}`;

const timesOf = ({ startAt, endAt }: Pick<StudyBlock, "startAt" | "endAt">) => ({
  start: iso(startAt),
  end: iso(endAt),
  extendedProperties: { private: { lamplight: "1", times: encodeTimes(startAt, endAt), withdrawn: "0" } },
});

const fixedFields = (url: string) => ({
  transparency: "transparent",
  reminders: { useDefault: false },
  source: { title: "Lamplight", url },
});

const privateOf = ({ extendedProperties }: CalendarEvent) => extendedProperties?.private ?? {};
const withPrivate = (event: CalendarEvent, more: Record<string, string>) => ({
  extendedProperties: { private: { ...privateOf(event), ...more } },
});
const currentTimes = ({ start, end }: CalendarEvent) => ({
  startAt: Date.parse(start?.dateTime ?? ""),
  endAt: Date.parse(end?.dateTime ?? ""),
});

function isMoved(event: CalendarEvent): boolean {
  const { startAt, endAt } = currentTimes(event);
  return privateOf(event)["times"] !== encodeTimes(startAt, endAt);
}

/** Whether an event is in the future and still as we wrote it. */
const isUnchanged = (event: CalendarEvent, now: number) =>
  event.status !== "cancelled" && !isMoved(event) && currentTimes(event).startAt > now;

/** The changes to an existing event; undefined if the student decided otherwise, or if it is as planned. */
function changeOf(event: CalendarEvent | undefined, block: StudyBlock, content: { summary: string }, now: number) {
  if (!event) return undefined;
  const isWithdrawn = privateOf(event)["withdrawn"] === "1";
  // An event that the student deleted stays deleted.
  if (event.status === "cancelled")
    return isWithdrawn ? { status: "confirmed", ...content, ...timesOf(block) } : undefined;
  const { startAt, endAt } = currentTimes(event);
  // The past is never touched.
  if (startAt <= now) return undefined;
  const isTextOld = event.summary !== content.summary;
  // If the student moved the event, its time stays and only the text is updated.
  if (isMoved(event)) return isTextOld ? content : undefined;
  const [before, after] = [endAt - startAt, block.endAt - block.startAt];
  const isTimeOld = startAt !== block.startAt || Math.abs(after - before) > before * CHANGE_SHARE;
  return isTimeOld ? { ...content, ...timesOf(block) } : isTextOld ? content : undefined;
}

/** Writes the blocks now, if a calendar is connected; after an error, the next run tries again. */
export async function syncCalendarQuietly(deps: CalendarDeps, own: Own): Promise<void> {
  const connection = await findCalendarConnection(own);
  if (!connection?.isActive) return;
  try {
    await syncCalendar(deps, own, connection);
  } catch (error) {
    if (!(error instanceof AccessLostError))
      await changeConnection(own, connection._id, { syncAt: deps.clock.now() + HOUR_MS });
    if (!(error instanceof AccessLostError) && !(error instanceof Failure))
      deps.log.error({ err: error }, "could not write study blocks");
  }
}

/** Removes the calendar with its blocks. A calendar that can no longer be reached stays. */
export async function removeCalendar(deps: CalendarDeps, own: Own, connection: ConnectionDoc): Promise<void> {
  const { calendarId, isActive } = connection;
  if (!calendarId || !isActive) return;
  await new GoogleCalendar(deps, own, connection)
    .remove(calendarId)
    .catch(() => deps.log.warn({ userId: own.ownerId }, "the calendar could not be removed"));
}

/** Writes the blocks of calendars that are due; returns how many. An inactive account gets no new blocks. */
export async function syncDueCalendars(deps: CalendarDeps): Promise<number> {
  const due = await listDueCalendars(deps.store, deps.clock.now(), MAX_PER_RUN);
  let written = 0;
  for (const { _id, ownerId } of due) {
    const own = ownedBy(deps.store, ownerId);
    if (await isInactive(deps, ownerId)) await changeConnection(own, _id, { syncAt: deps.clock.now() + DAY_MS });
    else {
      await syncCalendarQuietly(deps, own);
      written += 1;
    }
  }
  return written;
}

export const startCalendarSync = (deps: CalendarDeps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log: deps.log,
    failureMessage: "could not write study blocks",
    work: () => syncDueCalendars(deps),
  });
