import { z } from "zod";
import type { Deps } from "#api/http/handler.ts";
import { OutsideFetchError } from "#api/outside/fetch-outside.ts";
import type { Own } from "#api/store/owned-store.ts";
import { Failure } from "#shared/contract/failure.ts";
import { decrypt, encrypt } from "../encryption.ts";
import { type GoogleTokens, renewTokens, requireClientSecret } from "../google.ts";
import { changeConnection, type ConnectionDoc } from "../store.ts";

export type CalendarDeps = Pick<Deps, "settings" | "clock" | "log" | "store" | "fetchOutside">;

const RENEW_BEFORE_MS = 60_000;
/** The property that distinguishes our events from those that the student adds to the calendar. */
const OWN_EVENT_PROPERTY = "lamplight=1";

const EventTime = z.object({ dateTime: z.string().optional() }).optional();
const RawEvent = z.object({
  id: z.string(),
  status: z.string().default("confirmed"),
  summary: z.string().default(""),
  start: EventTime,
  end: EventTime,
  extendedProperties: z.object({ private: z.record(z.string(), z.string()).default({}) }).optional(),
});
/** An event of our calendar (https://developers.google.com/workspace/calendar/api/v3/reference/events). */
export type CalendarEvent = z.infer<typeof RawEvent>;
const RawEvents = z.object({ items: z.array(RawEvent).default([]), nextPageToken: z.string().optional() });
const Busy = z.object({ start: z.string(), end: z.string() });
const RawFreeBusy = z.object({
  calendars: z.record(z.string(), z.object({ busy: z.array(Busy).default([]) })).default({}),
});

/** The calendar was deleted at Google. */
export class CalendarGoneError extends Error {}
/** The student or Google revoked access. */
export class AccessLostError extends Error {}

interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

interface Reply {
  status: number;
  body: unknown;
}

/** Google Calendar with one account's access: a calendar of our own, and the times when the student is busy. */
export class GoogleCalendar {
  readonly #deps: CalendarDeps;
  readonly #own: Own;
  readonly #connection: ConnectionDoc;
  #tokens: GoogleTokens | undefined;

  constructor(deps: CalendarDeps, own: Own, connection: ConnectionDoc) {
    this.#deps = deps;
    this.#own = own;
    this.#connection = connection;
    this.#tokens = decrypt(connection.sealedTokens, requireClientSecret(deps.settings)) as GoogleTokens | undefined;
  }

  async create(name: string, timezone: string): Promise<string> {
    const { body } = await this.#call({
      method: "POST",
      path: "/calendars",
      body: { summary: name, timeZone: timezone },
    });
    return z.object({ id: z.string() }).parse(body).id;
  }

  async remove(calendarId: string): Promise<void> {
    await this.#call({ method: "DELETE", path: `/calendars/${encodeURIComponent(calendarId)}` });
  }

  /** Our events that end after `from`, deleted ones too. */
  async listEvents(calendarId: string, from: number): Promise<CalendarEvent[]> {
    const events: CalendarEvent[] = [];
    for (let pageToken: string | undefined; ;) {
      const query = {
        privateExtendedProperty: OWN_EVENT_PROPERTY,
        timeMin: new Date(from).toISOString(),
        singleEvents: "true",
        showDeleted: "true",
        ...(pageToken === undefined ? {} : { pageToken }),
      };
      const { body } = await this.#call({ method: "GET", path: eventsPath(calendarId), query });
      const page = RawEvents.parse(body);
      events.push(...page.items);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) return events;
    }
  }

  /** When the student's main calendar is busy. */
  async listBusy(from: number, until: number): Promise<{ startAt: number; endAt: number }[]> {
    const body = {
      timeMin: new Date(from).toISOString(),
      timeMax: new Date(until).toISOString(),
      items: [{ id: "primary" }],
    };
    const { calendars } = RawFreeBusy.parse((await this.#call({ method: "POST", path: "/freeBusy", body })).body);
    return Object.values(calendars).flatMap(({ busy }) =>
      busy.map(({ start, end }) => ({ startAt: Date.parse(start), endAt: Date.parse(end) })),
    );
  }

  /** False if an event with this id exists already. */
  async insert(calendarId: string, event: object): Promise<boolean> {
    return (await this.#call({ method: "POST", path: eventsPath(calendarId), body: event })).status !== 409;
  }

  async patch(calendarId: string, id: string, event: object): Promise<void> {
    await this.#call({ method: "PATCH", path: `${eventsPath(calendarId)}/${id}`, body: event });
  }

  async #call(call: Call): Promise<Reply> {
    let reply = await this.#send(call);
    if (reply.status === 401) {
      await this.#renew();
      reply = await this.#send(call);
    }
    const { status, body } = reply;
    if (status === 401) throw await this.#recordLostAccess();
    if (status === 403 && !isRateLimit(body)) throw await this.#recordLostAccess();
    if ((status === 404 || status === 410) && call.path.startsWith("/calendars/")) throw new CalendarGoneError();
    // The caller handles an id that is already in use.
    if (status === 409 || (status >= 200 && status < 300)) return reply;
    throw calendarUnreachable();
  }

  async #send({ method, path, query, body }: Call): Promise<Reply> {
    const { settings, fetchOutside } = this.#deps;
    const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
    const headers: Record<string, string> = { authorization: `Bearer ${await this.#accessToken()}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    try {
      const answer = await fetchOutside(`${settings.GOOGLE_API_BASE.replace(/\/$/, "")}/calendar/v3${path}${search}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = new TextDecoder().decode(await answer.bytes());
      return { status: answer.status, body: text === "" ? {} : (JSON.parse(text) as unknown) };
    } catch (error) {
      throw error instanceof OutsideFetchError || error instanceof SyntaxError ? calendarUnreachable() : error;
    }
  }

  async #accessToken(): Promise<string> {
    if (!this.#tokens) throw await this.#recordLostAccess();
    if (this.#tokens.expiresAt - RENEW_BEFORE_MS <= this.#deps.clock.now()) await this.#renew();
    return this.#tokens.accessToken;
  }

  async #renew(): Promise<void> {
    const { settings, clock } = this.#deps;
    const renewed = this.#tokens && (await renewTokens(settings, this.#tokens, clock.now()));
    if (!renewed) throw await this.#recordLostAccess();
    this.#tokens = renewed;
    const sealedTokens = encrypt(renewed, requireClientSecret(settings));
    await changeConnection(this.#own, this.#connection._id, { sealedTokens });
  }

  async #recordLostAccess(): Promise<AccessLostError> {
    await changeConnection(this.#own, this.#connection._id, { isActive: false });
    return new AccessLostError();
  }
}

const eventsPath = (calendarId: string) => `/calendars/${encodeURIComponent(calendarId)}/events`;

const calendarUnreachable = () => new Failure("unreachable", "google_unreachable");

const isRateLimit = (body: unknown): boolean => /rateLimitExceeded|quotaExceeded/i.test(JSON.stringify(body));
