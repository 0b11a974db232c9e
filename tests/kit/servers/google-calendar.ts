import { text } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ulid } from "ulid";
import { findRequestFault, requireSchema } from "./google-schemas.ts";

type Fields = Record<string, unknown>;

export interface StoredEvent extends Fields {
  id: string;
  status: string;
  summary: string;
  start: { dateTime: string };
  end: { dateTime: string };
}

/** The contents of a student's Google Calendar, and how it answers. */
export interface CalendarState {
  /** Calendars of the app, by id. */
  calendars: Map<string, Map<string, StoredEvent>>;
  /** Busy times of the main calendar. */
  busy: { start: string; end: string }[];
  /** Every call exceeds Google's limit, which is reported with either status. */
  limitedBy?: 403 | 429 | undefined;
  isOpen: boolean;
  /** Access tokens of the calls, and those of them that have expired. */
  tokens: Set<string>;
  expiredTokens: Set<string>;
}

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const refuse = (response: ServerResponse, code: number, reason: string) =>
  send(response, code, { error: { code, errors: [{ reason }] } });

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Whether a call has a valid token; records the token. */
function takeToken({ isOpen, tokens, expiredTokens }: CalendarState, authorization = ""): boolean {
  const token = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (!isOpen || token === undefined || expiredTokens.has(token)) return false;
  tokens.add(token);
  return true;
}

/** Answers `/calendar/v3`; requests and answers fit Google's discovery document, or are refused. */
export async function answerCalendar(state: CalendarState, { request, response }: Exchange): Promise<void> {
  const url = new URL(request.url ?? "", "http://calendar");
  const sent = await text(request);
  const body = (sent === "" ? {} : JSON.parse(sent)) as Fields;
  if (!takeToken(state, request.headers.authorization)) return refuse(response, 401, "authError");
  if (state.limitedBy) return refuse(response, state.limitedBy, "rateLimitExceeded");
  const [, , , collection, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const fault = findRequestFault({ method: request.method ?? "GET", url, body });
  if (fault !== undefined) return refuse(response, 400, fault);
  if (collection === "freeBusy") {
    const answer = { kind: "calendar#freeBusy", calendars: { primary: { busy: state.busy } } };
    requireSchema("FreeBusyResponse", answer);
    return send(response, 200, answer);
  }
  return answerCalendars(state, { rest, url, body, method: request.method ?? "GET", response });
}

interface CalendarCall {
  /** Parts of the path: the calendar's id, "events", and the event's id. */
  rest: readonly string[];
  url: URL;
  body: Fields;
  method: string;
  response: ServerResponse;
}

function answerCalendars(state: CalendarState, { rest, url, body, method, response }: CalendarCall): void {
  const [calendarId, , eventId] = rest;
  if (calendarId === undefined) return createCalendar(state, body, response);
  const events = state.calendars.get(calendarId);
  if (!events) return refuse(response, 404, "notFound");
  if (method === "DELETE") {
    state.calendars.delete(calendarId);
    return void response.writeHead(204).end();
  }
  if (method === "GET") return listEvents(events, url, response);
  if (method === "POST" && !/^[a-v0-9]{5,1024}$/.test(String(body["id"]))) return refuse(response, 400, "invalid id");
  return method === "POST" ? insertEvent(events, body, response) : patchEvent(events, eventId, body, response);
}

function createCalendar(state: CalendarState, body: Fields, response: ServerResponse): void {
  // Google never uses an id again, not even that of a deleted calendar.
  const id = `${ulid().toLowerCase()}@group.calendar.google.com`;
  state.calendars.set(id, new Map());
  const calendar = { kind: "calendar#calendar", id, ...body };
  requireSchema("Calendar", calendar);
  return send(response, 200, calendar);
}

function listEvents(events: ReadonlyMap<string, StoredEvent>, { searchParams }: URL, response: ServerResponse): void {
  const from = Date.parse(searchParams.get("timeMin") ?? "");
  const shown = [...events.values()].filter(
    ({ status, end }) =>
      Date.parse(end.dateTime) > from && (status !== "cancelled" || searchParams.get("showDeleted") === "true"),
  );
  const answer = { kind: "calendar#events", items: shown };
  requireSchema("Events", answer);
  send(response, 200, answer);
}

function insertEvent(events: Map<string, StoredEvent>, body: Fields, response: ServerResponse): void {
  const id = String(body["id"]);
  if (events.has(id)) return refuse(response, 409, "duplicate");
  const event = { status: "confirmed", ...body } as StoredEvent;
  events.set(id, event);
  return send(response, 200, event);
}

function patchEvent(events: Map<string, StoredEvent>, id: string | undefined, body: Fields, response: ServerResponse) {
  const event = events.get(id ?? "");
  if (!event) return refuse(response, 404, "notFound");
  Object.assign(event, body);
  return send(response, 200, event);
}
