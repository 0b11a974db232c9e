import { text } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "#api/clock.ts";
import { listen } from "../issuer.ts";
import { answerCall, StripeRefusal } from "./stripe-calls.ts";
import { findFault } from "./stripe-parameters.ts";
import { answerPage } from "./stripe-pages.ts";
import { StripeState } from "./stripe-state.ts";

const WEBHOOK_SECRET = "whsec_only_for_tests";

interface StripeCall {
  name: string;
  params: Record<string, unknown>;
}

export interface StripeServer extends StripeState {
  /** Settings under which the API knows this Stripe. */
  env: Record<string, string>;
  /** Calls in order, as "POST /v1/customers". */
  calls: StripeCall[];
  /** `down` breaks connections, `busy` limits every call. */
  mode: "up" | "down" | "busy";
  /** Sends an event to the product's webhook; the answer's status. */
  send(origin: string, event: unknown, options?: { secret?: string; at?: number; tamper?: boolean }): Promise<number>;
  /** Sends every pending event, in an order of choice; the events that were sent. */
  deliver(origin: string, arrange?: (events: readonly unknown[]) => readonly unknown[]): Promise<unknown[]>;
}

/** A Stripe with a memory: customers, checkout, portal, subscriptions, refunds, disputes, and signed events. */
export async function aStripe(clock: Clock): Promise<StripeServer> {
  const state = new StripeState(clock) as StripeServer;
  const answers = new Map<string, { params: string; body: unknown }>();
  const base = await listen(
    (request, response) => void answer(state, answers, { request, response, base: () => base }),
  );
  state.calls = [];
  state.mode = "up";
  state.env = {
    STRIPE_SECRET_KEY: "sk_test_lamplight",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: base,
  };
  state.send = async (origin, event, { secret = WEBHOOK_SECRET, at, tamper = false } = {}) => {
    const { payload, signature } = state.sign(event, { secret, ...(at === undefined ? {} : { at }) });
    const headers = { "stripe-signature": signature, "content-type": "application/json" };
    const body = tamper ? payload.replace('"object"', '"Object"') : payload;
    return (await fetch(`${origin}/v1/stripe/webhook`, { method: "POST", headers, body })).status;
  };
  state.deliver = async (origin, arrange = (events) => events) => {
    const pending = state.events;
    state.events = [];
    const sent = [...arrange(pending)];
    for (const event of sent) {
      const status = await state.send(origin, event);
      if (status !== 200) throw new Error(`The webhook answered ${status}`);
    }
    return sent;
  };
  return state;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  base: () => string;
}

async function answer(
  state: StripeServer,
  answers: Map<string, { params: string; body: unknown }>,
  { request, response, base }: Exchange,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://stripe");
  const body = await text(request);
  if (!url.pathname.startsWith("/v1/")) return answerPage(state, { request, response, url });
  if (state.mode === "down") return void request.socket.destroy();
  const reply = (status: number, value: unknown) =>
    void response
      .writeHead(status, { "content-type": "application/json", "request-id": state.makeId("req") })
      .end(JSON.stringify(value));
  if (state.mode === "busy") return reply(429, { error: { type: "rate_limit_error", message: "Too many" } });
  const params = parseForm(request.method === "POST" ? body : url.search.slice(1));
  const name = `${request.method ?? "GET"} ${url.pathname}`;
  state.calls.push({ name, params });
  const key = request.headers["idempotency-key"];
  const kept = typeof key === "string" && request.method === "POST" ? answers.get(key) : undefined;
  if (kept && kept.params !== JSON.stringify([name, params]))
    return reply(400, {
      error: { type: "idempotency_error", message: "Keys may only be used with the same parameters" },
    });
  if (kept) return reply(200, kept.body);
  try {
    const fault = findFault(name, params);
    if (fault !== undefined) throw new StripeRefusal(400, fault);
    state.settle();
    const result = answerCall(state, { name, params, base: base() });
    if (typeof key === "string") answers.set(key, { params: JSON.stringify([name, params]), body: result });
    return reply(200, result);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return reply(error.status, { error: { type: "invalid_request_error", code: error.code, message: error.message } });
  }
}

/** `a[b][0][c]=d` as an object; numbers stay text, as on the wire. */
function parseForm(form: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(form)) {
    const path = key.split(/[[\]]+/).filter((part) => part !== "");
    let target = result;
    for (const [at, part] of path.entries()) {
      if (at === path.length - 1) target[part] = value;
      else target = (target[part] ??= {}) as Record<string, unknown>;
    }
  }
  return withLists(result) as Record<string, unknown>;
}

const withLists = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], at) => key === String(at));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
};
