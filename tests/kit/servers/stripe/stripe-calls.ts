import type { StripeInvoice, StripePrice, StripeSession, StripeState, StripeSubscription } from "./stripe-state.ts";

/** Stripe refuses a call's parameters. */
export class StripeRefusalError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The refused parameter. */
  param: string | undefined;
  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const missing = (what: string) => new StripeRefusalError(404, `No such ${what}`, "resource_missing");

interface Call {
  /** As "GET /v1/customers/cus_1". */
  name: string;
  params: Record<string, unknown>;
  /** Address of the server's own pages. */
  base: string;
}

type Answer = (state: StripeState, call: Call, id: string) => unknown;

const list = (data: readonly unknown[]) => ({ object: "list", data, has_more: false, url: "/v1/list" });

const describeSession = ({ id, object, status, url }: StripeSession) => ({ id, object, status, url });

function requireIn<T>(map: ReadonlyMap<string, T>, id: string, what: string): T {
  const found = map.get(id);
  if (found === undefined) throw missing(what);
  return found;
}

const routes: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [/^POST \/v1\/customers$/, createCustomer],
  [/^GET \/v1\/customers\/(\w+)$/, (state, _call, id) => requireIn(state.customers, id, "customer")],
  [/^GET \/v1\/prices$/, (state) => list(state.listedPrices ?? state.prices)],
  [/^GET \/v1\/promotion_codes$/, listCodes],
  [/^POST \/v1\/checkout\/sessions$/, createSession],
  [
    /^GET \/v1\/checkout\/sessions\/(\w+)$/,
    (state, _call, id) => describeSession(requireIn(state.sessions, id, "session")),
  ],
  [/^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/, expireSession],
  [/^POST \/v1\/billing_portal\/sessions$/, createPortalSession],
  [/^GET \/v1\/subscriptions$/, listSubscriptions],
  [
    /^GET \/v1\/subscriptions\/(\w+)$/,
    (state, call, id) => showSubscription(requireIn(state.subscriptions, id, "subscription"), call),
  ],
  [/^POST \/v1\/subscriptions\/(\w+)$/, updateSubscription],
  [/^DELETE \/v1\/subscriptions\/(\w+)$/, cancelSubscription],
  [/^GET \/v1\/invoices$/, listInvoices],
  [/^GET \/v1\/charges\/(\w+)$/, (state, _call, id) => requireIn(state.charges, id, "charge")],
  [/^GET \/v1\/disputes\/(\w+)$/, (state, _call, id) => requireIn(state.disputes, id, "dispute")],
];

export function answerCall(state: StripeState, call: Call): unknown {
  for (const [pattern, answer] of routes) {
    const [, id = ""] = pattern.exec(call.name) ?? [];
    if (pattern.test(call.name)) return answer(state, call, id);
  }
  throw new StripeRefusalError(404, `Unrecognized request URL (${call.name})`);
}

function createCustomer(state: StripeState, { params }: Call) {
  const customer = { id: state.makeId("cus"), object: "customer" as const, params };
  state.customers.set(customer.id, customer);
  return customer;
}

function listCodes(state: StripeState, { params }: Call) {
  const found = state.promotionCodes.get(String(params["code"]));
  if (!found || (params["active"] === "true" && !found.active)) return list([]);
  const { coupon, ...code } = found;
  const isExpanded = (params["expand"] as string[] | undefined)?.includes("data.promotion.coupon") === true;
  const promotion = { type: "coupon", coupon: isExpanded ? coupon : "coupon_1" };
  return list([{ ...code, promotion, object: "promotion_code", code: params["code"] }]);
}

function listInvoices(state: StripeState, { params, base }: Call) {
  const { subscription, status, customer } = params;
  if (typeof customer === "string") return list(invoicesOfCustomer(state, customer, base));
  const fits = (invoice: StripeInvoice) => invoice.subscription === subscription && invoice.status === status;
  return list(state.invoices.filter(fits).toReversed());
}

/** The failed renewals of a customer, and the latest invoice of each subscription, the newest first. */
function invoicesOfCustomer(state: StripeState, customer: string, base: string) {
  requireIn(state.customers, customer, "customer");
  const subscriptions = [...state.subscriptions.values()].filter((one) => one.customer === customer);
  return subscriptions
    .flatMap(({ id, currency, items, latest_invoice: latest }) => {
      const failed = state.invoices.filter((invoice) => invoice.subscription === id);
      const isFailed = failed.some((invoice) => invoice.id === latest.id);
      const price = items.data[0]?.price;
      const total = price?.currency_options[currency]?.unit_amount ?? 0;
      return [...failed, ...(isFailed ? [] : [{ ...latest, status: "paid" }])].map((invoice) => ({
        ...invoice,
        total,
        currency,
        hosted_invoice_url: `${base}/invoice/${invoice.id}`,
      }));
    })
    .toSorted((a, b) => b.created - a.created);
}

function createSession(state: StripeState, { params, base }: Call) {
  if (!state.customers.has(String(params["customer"]))) throw missing("customer");
  if (Number(params["expires_at"]) < state.now() + 1800)
    throw new StripeRefusalError(400, "expires_at must be at least 30 minutes from now");
  requireSellable(state, params);
  requireRedeemable(state, params["discounts"] as { promotion_code: string }[] | undefined);
  const id = state.makeId("cs");
  const session: StripeSession = { id, object: "checkout.session", status: "open", url: `${base}/pay/${id}`, params };
  state.sessions.set(id, session);
  return describeSession(session);
}

/** A deleted price is missing, and a price without an amount in the currency is refused. */
function requireSellable(state: StripeState, params: Record<string, unknown>): void {
  const [line] = params["line_items"] as { price: string }[];
  const price = state.prices.find(({ id }) => id === line?.price);
  const currency = String(params["currency"]);
  const running = [...state.subscriptions.values()].find(
    (each) => each.customer === params["customer"] && each.status !== "canceled",
  );
  if (!price) throw Object.assign(missing("price"), { param: "line_items[0][price]" });
  const isCombined = running !== undefined && running.currency !== currency;
  if (isCombined || !price.currency_options[currency])
    throw Object.assign(
      new StripeRefusalError(400, isCombined ? "You cannot combine currencies" : "No such currency"),
      {
        param: "currency",
      },
    );
}

function expireSession(state: StripeState, _call: Call, id: string) {
  const session = requireIn(state.sessions, id, "session");
  if (session.status !== "open") throw new StripeRefusalError(400, `This session is ${session.status}`);
  Object.assign(session, { status: "expired", url: null });
  return describeSession(session);
}

function createPortalSession(state: StripeState, { params, base }: Call) {
  const customer = String(params["customer"]);
  if (!state.customers.has(customer)) throw missing("customer");
  const id = state.makeId("bps");
  const { subscription_update_confirm: update, after_completion: end } = (params["flow_data"] ?? {}) as {
    subscription_update_confirm?: { subscription: string; items: { price: string }[] };
    after_completion?: { redirect: { return_url: string } };
  };
  const query = new URLSearchParams({
    return: end?.redirect.return_url ?? String(params["return_url"]),
    ...(update ? { subscription: update.subscription, price: update.items[0]?.price ?? "" } : {}),
  });
  return { id, object: "billing_portal.session", url: `${base}/portal/${id}?${query.toString()}` };
}

function listSubscriptions(state: StripeState, call: Call) {
  const customer = String(call.params["customer"]);
  if (!state.customers.has(customer)) throw missing("customer");
  const found = [...state.subscriptions.values()].filter((each) => each.customer === customer).toReversed();
  return list(found.map((each) => showSubscription(each, call, "data.")));
}

/** Only objects that a call expands are sent completely. */
function showSubscription(subscription: StripeSubscription, { params }: Call, prefix = ""): unknown {
  const expanded = new Set((params["expand"] ?? []) as string[]);
  const tooDeep = [...expanded].find((path) => path.split(".").length > 4);
  if (tooDeep !== undefined) throw new StripeRefusalError(400, `You cannot expand more than 4 levels of a property`);
  const hasDiscounts = expanded.has(`${prefix}discounts.source.coupon`);
  const hasCurrencies = expanded.has(`${prefix}items.data.price.currency_options`);
  const showPrice = ({ currency_options, ...price }: StripePrice) => ({
    ...price,
    ...(hasCurrencies ? { currency_options } : {}),
  });
  return {
    ...subscription,
    discounts: hasDiscounts ? subscription.discounts : subscription.discounts.map(({ id }) => id),
    latest_invoice: showInvoice(subscription.latest_invoice, {
      isWhole: expanded.has(`${prefix}latest_invoice`),
      hasDiscounts: expanded.has(`${prefix}latest_invoice.discounts`),
    }),
    items: { data: subscription.items.data.map((item) => ({ ...item, price: showPrice(item.price) })) },
  };
}

/** Expanding a field of the invoice expands the invoice too. */
function showInvoice(
  { discounts, ...invoice }: StripeSubscription["latest_invoice"],
  { isWhole, hasDiscounts }: { isWhole: boolean; hasDiscounts: boolean },
): unknown {
  if (hasDiscounts) return { ...invoice, discounts };
  return isWhole ? { ...invoice, discounts: discounts.map(({ id }) => id) } : invoice.id;
}

function updateSubscription(state: StripeState, { params }: Call, id: string): StripeSubscription {
  const subscription = requireIn(state.subscriptions, id, "subscription");
  if (subscription.status === "canceled") throw missing("subscription");
  const change = params as SubscriptionUpdate;
  requireRedeemable(state, change.discounts);
  return state.change(id, {
    ...(change.discounts ? { discounts: state.discountsOf(change.discounts) } : {}),
    ...changeOfEnd(change),
    ...changeOfPause(change),
  });
}

interface SubscriptionUpdate {
  pause_collection?: "" | { behavior: string; resumes_at?: string };
  cancel_at?: string;
  cancel_at_period_end?: string;
  cancellation_details?: { feedback?: string; comment?: string };
  discounts?: { promotion_code: string }[];
}

function requireRedeemable(state: StripeState, [discount]: { promotion_code: string }[] = []): void {
  const code = [...state.promotionCodes.values()].find(({ id }) => id === discount?.promotion_code);
  if (discount && !code?.isRedeemable) throw new StripeRefusalError(400, "This promotion code cannot be redeemed");
}

const changeOfEnd = ({ cancel_at, cancel_at_period_end: isEnding, cancellation_details }: SubscriptionUpdate) => ({
  ...(cancel_at === "" ? { cancel_at: null } : {}),
  ...(isEnding === undefined ? {} : { cancel_at_period_end: isEnding === "true" }),
  ...(cancellation_details
    ? {
        cancellation_details: {
          feedback: cancellation_details.feedback ?? null,
          comment: cancellation_details.comment ?? null,
        },
      }
    : {}),
});

const changeOfPause = ({ pause_collection: pause }: SubscriptionUpdate) =>
  pause === undefined ? {} : { pause_collection: pause === "" ? null : toPause(pause) };

const toPause = ({ behavior, resumes_at }: { behavior: string; resumes_at?: string }) => ({
  behavior,
  resumes_at: resumes_at === undefined ? null : Number(resumes_at),
});

function cancelSubscription(state: StripeState, _call: Call, id: string): StripeSubscription {
  const subscription = requireIn(state.subscriptions, id, "subscription");
  if (subscription.status === "canceled") throw missing("subscription");
  return state.change(id, { status: "canceled", ended_at: state.now() });
}
