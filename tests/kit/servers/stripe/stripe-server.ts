import { text } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "#api/clock.ts";
import { listen } from "../issuer.ts";
import { answerCall, StripeRefusalError } from "./stripe-calls.ts";
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
  /** `down` breaks connections, `busy` limits every call, `slow` never answers. */
  mode: "up" | "down" | "busy" | "slow";
  /** Delays the next list of subscriptions after it was built, so that it is outdated when it arrives. */
  delayNextList(): DelayedList;
  /** Called with the next list, after it was built. */
  hold: (() => Promise<unknown>) | undefined;
  /** Sends an event to the product's webhook; resolves to the status of the response. */
  send(origin: string, event: unknown, options?: { secret?: string; at?: number; tamper?: boolean }): Promise<number>;
  /** Sends every pending event in the given order; returns the sent events. */
  deliver(origin: string, arrange?: (events: readonly unknown[]) => readonly unknown[]): Promise<unknown[]>;
}

interface DelayedList {
  /** Resolves when the list was built. */
  isMade: Promise<unknown>;
  release(): void;
}

/** A fake Stripe with state: customers, checkout, portal, subscriptions, refunds, disputes, and signed events. */
export async function aStripe(clock: Clock): Promise<StripeServer> {
  const state = new StripeState(clock) as StripeServer;
  const answers: Answers = new Map();
  const base = await listen(
    (request, response) => void answer(state, answers, { request, response, base: () => base }),
  );
  state.calls = [];
  state.mode = "up";
  state.delayNextList = () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isMade = new Promise<void>((resolve) => {
      state.hold = () => {
        state.hold = undefined;
        resolve();
        return released;
      };
    });
    return { isMade, release: () => release?.() };
  };
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

type Answers = Map<string, { params: string; body: unknown }>;

async function answer(state: StripeServer, answers: Answers, { request, response, base }: Exchange): Promise<void> {
  const url = new URL(request.url ?? "/", "http://stripe");
  const body = await text(request);
  if (!url.pathname.startsWith("/v1/")) return answerPage(state, { request, response, url });
  if (state.mode === "down") return void request.socket.destroy();
  if (state.mode === "slow") return;
  const params = parseForm(request.method === "POST" ? body : url.search.slice(1));
  const name = `${request.method ?? "GET"} ${url.pathname}`;
  const key = request.method === "POST" ? request.headers["idempotency-key"]?.toString() : undefined;
  const { status, value } = reply(state, answers, { name, params, key, base: base() });
  const headers = { "content-type": "application/json", "request-id": state.makeId("req") };
  const written = JSON.stringify(value);
  if (name === "GET /v1/subscriptions") await state.hold?.();
  return void response.writeHead(status, headers).end(written);
}

const refusal = (status: number, error: Record<string, unknown>) => ({ status, value: { error } });

interface KeyedCall extends StripeCall {
  key: string | undefined;
  base: string;
}

/** A repeated key gets the first answer again, if the parameters are the same. */
function reply(state: StripeServer, answers: Answers, { name, params, key, base }: KeyedCall) {
  if (state.mode === "busy") return refusal(429, { type: "rate_limit_error", message: "Too many requests" });
  state.calls.push({ name, params });
  const fingerprint = JSON.stringify([name, params]);
  const known = key === undefined ? undefined : answers.get(key);
  if (known && known.params !== fingerprint)
    return refusal(400, { type: "idempotency_error", message: "Keys can only be used with the same parameters" });
  if (known) return { status: 200, value: known.body };
  try {
    const fault = findFault(name, params);
    if (fault !== undefined) throw new StripeRefusalError(400, fault);
    state.advanceToNow();
    const value = answerCall(state, { name, params, base });
    if (key !== undefined) answers.set(key, { params: fingerprint, body: value });
    return { status: 200, value };
  } catch (error) {
    if (!(error instanceof StripeRefusalError)) throw error;
    const { status, code, message, param } = error;
    return refusal(status, { type: "invalid_request_error", code, message, param });
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
