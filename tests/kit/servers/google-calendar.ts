import { text } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";

type Fields = Record<string, unknown>;

export interface StoredEvent extends Fields {
  id: string;
  status: string;
  summary: string;
  start: { dateTime: string };
  end: { dateTime: string };
}

/** What a student's Google Calendar holds, and how it answers. */
export interface CalendarState {
  /** Calendars of the app, by id. */
  calendars: Map<string, Map<string, StoredEvent>>;
  /** Of the student's main calendar. */
  busy: { start: string; end: string }[];
  /** Whether every call is over Google's limit. */
  isLimited: boolean;
  isOpen: boolean;
}

/** Fields that the product may send, by Google's discovery document (calendar v3, schema Event). */
const EVENT_FIELDS = new Set(
  "id status summary description start end extendedProperties transparency reminders source".split(" "),
);

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const refuse = (response: ServerResponse, code: number, reason: string) =>
  send(response, code, { error: { code, errors: [{ reason }] } });

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers `/calendar/v3`; a refusal where Google's own schemas would refuse. */
export async function answerCalendar(state: CalendarState, { request, response }: Exchange): Promise<void> {
  const url = new URL(request.url ?? "", "http://calendar");
  const sent = await text(request);
  const body = (sent === "" ? {} : JSON.parse(sent)) as Fields;
  if (!state.isOpen || !request.headers.authorization?.startsWith("Bearer ")) return refuse(response, 401, "authError");
  if (state.isLimited) return refuse(response, 403, "rateLimitExceeded");
  const [, , , collection, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  if (collection === "freeBusy") return send(response, 200, { calendars: { primary: { busy: state.busy } } });
  if (collection !== "calendars") return refuse(response, 404, "notFound");
  return answerCalendars(state, { rest, url, body, method: request.method ?? "GET", response });
}

interface CalendarCall {
  /** Of the path: the calendar's id, "events", and the event's id. */
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
  const fault = faultOf(body, method === "POST");
  if (fault !== undefined) return refuse(response, 400, fault);
  return method === "POST" ? insertEvent(events, body, response) : patchEvent(events, eventId, body, response);
}

function createCalendar(state: CalendarState, body: Fields, response: ServerResponse): void {
  if (typeof body["summary"] !== "string") return refuse(response, 400, "required");
  const id = `calendar${state.calendars.size + 1}@group.calendar.google.com`;
  state.calendars.set(id, new Map());
  return send(response, 200, { kind: "calendar#calendar", id, ...body });
}

function listEvents(events: ReadonlyMap<string, StoredEvent>, { searchParams }: URL, response: ServerResponse): void {
  const from = Date.parse(searchParams.get("timeMin") ?? "");
  const shown = [...events.values()].filter(
    ({ status, end }) =>
      Date.parse(end.dateTime) > from && (status !== "cancelled" || searchParams.get("showDeleted") === "true"),
  );
  send(response, 200, { kind: "calendar#events", items: shown });
}

/** An id has 5 to 1024 letters of base32hex, and a time is in RFC 3339. */
function faultOf(body: Fields, isNew: boolean): string | undefined {
  const unknown = Object.keys(body).find((key) => !EVENT_FIELDS.has(key));
  if (unknown !== undefined) return `unknown ${unknown}`;
  if (isNew && !/^[a-v0-9]{5,1024}$/.test(String(body["id"]))) return "invalid id";
  const times = [body["start"], body["end"]] as ({ dateTime?: string } | undefined)[];
  if (isNew && times.some((time) => time?.dateTime === undefined)) return "required";
  return times.some((time) => time && Number.isNaN(Date.parse(time.dateTime ?? ""))) ? "invalid time" : undefined;
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
