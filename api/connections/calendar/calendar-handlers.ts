import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { calendar, CalendarFeed } from "#shared/connections/calendar-contract.ts";
import { writeCalendar } from "#shared/connections/icalendar.ts";
import { planStudyBlocks, type StudyBlock } from "#shared/connections/study-blocks.ts";
import { Failure } from "#shared/contract/failure.ts";
import { isInactive } from "#api/http/authenticate.ts";
import type { Ctx, FileAnswer, Handlers, UserCtx } from "#api/http/handler.ts";
import { getPublicUrl } from "#api/settings.ts";
import { type Own, ownedBy } from "#api/store/owned-store.ts";
import { forecastStudy } from "#api/study/forecast.ts";
import { readBlockTexts } from "./block-texts.ts";
import { type ConnectionDoc, findCalendarConnection } from "../store.ts";
import { syncCalendarQuietly } from "./sync-calendar.ts";
import { findFeed, findFeedBySecret, saveFeed } from "./feed-store.ts";

const SECRET_BYTES = 24;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

const createSecret = () => randomBytes(SECRET_BYTES).toString("base64url");
const noFeed = () => new Failure("not_found", "no_calendar_feed");

async function presentFeed({ own, settings, clock }: UserCtx): Promise<CalendarFeed> {
  const now = clock.now();
  const [{ secret, studyAt }, forecast, connection] = await Promise.all([
    findFeed(own),
    forecastStudy(own, now),
    findCalendarConnection(own),
  ]);
  const planned = planStudyBlocks(forecast, studyAt, now);
  const blocks = connection?.isActive ? applyPlacedTimes(planned, connection) : planned;
  return {
    url: secret === null ? null : `${getPublicUrl(settings)}/v1/calendar/${secret}.ics`,
    studyAt,
    timezone: forecast.timezone,
    blocks: blocks.filter(({ startAt }) => startAt < now + WEEK_MS),
  };
}

/** The blocks as they are in Google Calendar: placed around other events, moved by the student, or deleted. */
function applyPlacedTimes(planned: readonly StudyBlock[], { syncedBlocks = [] }: ConnectionDoc): StudyBlock[] {
  const timesByDay = new Map(syncedBlocks.map(({ day, times }) => [day, times]));
  return planned.flatMap((block) => {
    const times = timesByDay.get(block.day);
    return times === null ? [] : [{ ...block, ...times }];
  });
}

export const calendarHandlers: Handlers<typeof calendar> = {
  getCalendarFeed: presentFeed,

  async saveCalendarFeed(ctx, { studyAt, isOn }) {
    const { secret } = await findFeed(ctx.own);
    await saveFeed(ctx.own, {
      ...(studyAt === undefined ? {} : { studyAt }),
      ...(isOn === undefined ? {} : { secret: isOn ? (secret ?? createSecret()) : null }),
    });
    if (studyAt !== undefined) await syncCalendarQuietly(ctx, ctx.own);
    return presentFeed(ctx);
  },

  async renewCalendarFeed(ctx) {
    if ((await findFeed(ctx.own)).secret === null) throw noFeed();
    await saveFeed(ctx.own, { secret: createSecret() });
    return presentFeed(ctx);
  },

  async readCalendarFeed(ctx, { file }) {
    const secret = /^([\w-]{32})\.ics$/.exec(file)?.[1];
    const feed = secret === undefined ? undefined : await findFeedBySecret(ctx.store, secret);
    if (!feed || (await isInactive(ctx, feed.ownerId))) throw noFeed();
    return answerCalendar(await writeFeed(ctx, ownedBy(ctx.store, feed.ownerId), feed.studyAt));
  },
};

async function writeFeed({ clock, settings }: Ctx, own: Own, studyAt: string): Promise<string> {
  const now = clock.now();
  const texts = await readBlockTexts(own, settings);
  const blocks = planStudyBlocks(await forecastStudy(own, now), studyAt, now);
  return writeCalendar({
    name: texts.name,
    // The full hour, so that the file of an unchanged plan keeps its ETag and calendar programs need not load it again.
    stampedAt: now - (now % HOUR_MS),
    events: blocks.map((block) => ({
      uid: `${block.day}-${createHash("sha256").update(own.ownerId).digest("hex").slice(0, 16)}@lamplight`,
      startAt: block.startAt,
      endAt: block.endAt,
      summary: texts.summaryOf(block),
      description: texts.description,
      url: texts.url,
    })),
  });
}

function answerCalendar(text: string): FileAnswer {
  const bytes = Buffer.from(text);
  return {
    type: "text/calendar; charset=utf-8",
    sizeBytes: bytes.length,
    open: (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
    disposition: { kind: "inline", name: "lamplight.ics" },
    etag: createHash("sha256").update(bytes).digest("base64url"),
    cacheControl: "private, no-cache",
  };
}
