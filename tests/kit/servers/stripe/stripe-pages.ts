import type { IncomingMessage, ServerResponse } from "node:http";
import type { StripeState } from "./stripe-state.ts";

interface PageRequest {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

/** Pages that a student sees at Stripe: paying in a session, and confirming a change of plan in the portal. */
export function answerPage(state: StripeState, { request, response, url }: PageRequest): void {
  const [, kind, id = ""] = url.pathname.split("/");
  const session = state.sessions.get(id);
  if (kind === "pay" && session?.status === "open") {
    if (request.method !== "POST") return showForm(response, "Pay");
    state.completeSession(session);
    return redirect(response, String(session.params["success_url"]));
  }
  if (kind === "portal") {
    if (request.method !== "POST") return showForm(response, "Confirm");
    confirmChange(state, url.searchParams);
    return redirect(response, url.searchParams.get("return") ?? "/");
  }
  response.writeHead(404).end("Not found");
  return undefined;
}

function confirmChange(state: StripeState, query: URLSearchParams): void {
  const subscription = state.subscriptions.get(query.get("subscription") ?? "");
  const [item] = subscription?.items.data ?? [];
  if (!subscription || !item) return;
  state.change(subscription.id, { items: { data: [{ ...item, price: state.findPrice(query.get("price")) }] } });
}

const redirect = (response: ServerResponse, location: string) => void response.writeHead(303, { location }).end();

const showForm = (response: ServerResponse, label: string) =>
  void response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<!doctype html><title>Stripe</title><form method="post"><button>${label}</button></form>`);
