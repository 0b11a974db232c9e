import { createHmac } from "node:crypto";
import type { Clock } from "#api/clock.ts";

/** Objects with the fields of Stripe's API that the product reads; times are epoch seconds. */
export interface StripePrice {
  id: string;
  lookup_key: string | null;
  currency: string;
  unit_amount: number;
  recurring: { interval: "month" | "year" };
  currency_options: Record<string, { unit_amount: number }>;
  metadata: Record<string, string>;
}

export interface StripeSubscription {
  id: string;
  object: "subscription";
  customer: string;
  status: string;
  created: number;
  currency: string;
  ended_at: number | null;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  cancellation_details: { feedback: string | null; comment: string | null };
  pause_collection: { behavior: string; resumes_at: number | null } | null;
  latest_invoice: { id: string; object: "invoice"; created: number; discounts: StripeDiscount[] };
  metadata: Record<string, string>;
  discounts: StripeDiscount[];
  items: { data: { id: string; price: StripePrice; current_period_end: number }[] };
}

interface StripeCoupon {
  percent_off: number | null;
  amount_off: number | null;
  currency: string | null;
  duration: "once" | "repeating" | "forever";
  duration_in_months: number | null;
}

export interface StripeDiscount {
  id: string;
  object: "discount";
  promotion_code: string;
  end: number | null;
  source: { type: "coupon"; coupon: StripeCoupon };
}

export interface StripeSession {
  id: string;
  object: "checkout.session";
  status: "open" | "complete" | "expired";
  url: string | null;
  params: Record<string, unknown>;
}

export interface StripeInvoice {
  id: string;
  object: "invoice";
  created: number;
  subscription: string;
  status: "open" | "paid";
}

interface StripeCode {
  id: string;
  active: boolean;
  coupon: StripeCoupon;
  /** False for a code whose conditions this purchase does not meet. */
  isRedeemable: boolean;
}

interface StripeEvent {
  id: string;
  type: string;
  created: number;
  data: { object: unknown };
}

const DAY_S = 86_400;
/** A repeating coupon lasts for this long. */
const REPEATING_S = 90 * DAY_S;
const A_FIFTH: StripeCoupon = {
  percent_off: 20,
  amount_off: null,
  currency: null,
  duration: "forever",
  duration_in_months: null,
};
const FOR_MONTHS: StripeCoupon = { ...A_FIFTH, duration: "repeating", duration_in_months: 3 };
const ONE_EURO: StripeCoupon = {
  ...A_FIFTH,
  percent_off: null,
  amount_off: 100,
  currency: "eur",
  duration: "once",
};

/** The contents of a Stripe account, and what happens in it. */
export class StripeState {
  readonly clock: Clock;
  readonly prices: StripePrice[] = [];
  /** Prices in a list that is older than `prices`. */
  listedPrices: StripePrice[] | undefined;
  readonly customers = new Map<
    string,
    { id: string; object: "customer"; deleted?: true; params: Record<string, unknown> }
  >();
  readonly subscriptions = new Map<string, StripeSubscription>();
  readonly sessions = new Map<string, StripeSession>();
  readonly charges = new Map<string, { id: string; object: "charge"; customer: string; refunded: boolean }>();
  readonly disputes = new Map<string, { id: string; object: "dispute"; charge: string; status: string }>();
  readonly promotionCodes = new Map<string, StripeCode>([
    ["STUDY20", { id: "promo_1", active: true, isRedeemable: true, coupon: FOR_MONTHS }],
    ["EXPIRED", { id: "promo_2", active: false, isRedeemable: false, coupon: A_FIFTH }],
    ["FIRST_TIME", { id: "promo_3", active: true, isRedeemable: false, coupon: A_FIFTH }],
    ["ONE_EURO", { id: "promo_4", active: true, isRedeemable: true, coupon: ONE_EURO }],
  ]);
  /** Invoices of renewals that failed. */
  readonly invoices: StripeInvoice[] = [];
  /** Events that happened and were not delivered yet. */
  events: StripeEvent[] = [];
  #made = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    const add = (key: string, unit_amount: number, eur: number, interval: "month" | "year") =>
      this.prices.push({
        id: `price_${key}`,
        lookup_key: key,
        currency: "usd",
        unit_amount,
        recurring: { interval },
        currency_options: { usd: { unit_amount }, eur: { unit_amount: eur } },
        metadata: {},
      });
    add("plus_month", 800, 750, "month");
    add("plus_year", 7600, 7200, "year");
    add("ultimate_month", 2000, 1900, "month");
    add("ultimate_year", 14_400, 13_700, "year");
  }

  /** How far its clock is ahead of ours. */
  aheadSeconds = 0;
  now = (): number => Math.floor(this.clock.now() / 1000) + this.aheadSeconds;
  makeId = (prefix: string): string => `${prefix}_${(this.#made += 1)}`;

  emit(type: string, object: unknown): void {
    this.events.push({ id: this.makeId("evt"), type, created: this.now(), data: { object: structuredClone(object) } });
  }

  /** Applies what happens without a call: ends pauses that are over, renews or cancels subscriptions. */
  advanceToNow(): void {
    const now = this.now();
    for (const subscription of this.subscriptions.values()) {
      endPause(subscription, now);
      const item = subscription.items.data[0];
      if (!item || subscription.status === "canceled") continue;
      const endsAt = subscription.cancel_at_period_end ? item.current_period_end : subscription.cancel_at;
      if (endsAt !== null && endsAt <= now) Object.assign(subscription, { status: "canceled", ended_at: endsAt });
      else if (subscription.status === "active")
        while (item.current_period_end <= now) {
          const created = item.current_period_end;
          item.current_period_end += periodOf(item.price);
          subscription.latest_invoice = { id: this.makeId("in"), object: "invoice", created, discounts: [] };
          spendOnce(subscription);
        }
    }
  }

  findPrice(id: unknown): StripePrice {
    const price = this.prices.find((each) => each.id === id);
    if (!price) throw new Error(`No price ${String(id)}`);
    return price;
  }

  /** The student pays in a session. */
  completeSession(session: StripeSession): StripeSubscription {
    if (session.status !== "open") throw new Error(`The session is ${session.status}`);
    const { customer, currency, line_items, subscription_data, discounts } = session.params as {
      customer: string;
      currency: string;
      line_items: { price: string }[];
      subscription_data: { metadata: Record<string, string> };
      discounts?: { promotion_code: string }[];
    };
    const subscription = this.subscribe(customer, this.findPrice(line_items[0]?.price), {
      currency,
      metadata: subscription_data.metadata,
      discounts: this.discountsOf(discounts),
    });
    spendOnce(subscription);
    session.status = "complete";
    session.url = null;
    this.emit("checkout.session.completed", { id: session.id, object: session.object, customer });
    this.emit("invoice.paid", { id: subscription.latest_invoice.id, object: "invoice", customer });
    return subscription;
  }

  /** Changes the reductions of codes from now on. */
  discountsOf(wanted: readonly { promotion_code: string }[] = []): StripeDiscount[] {
    return wanted.flatMap(({ promotion_code }) => {
      const code = [...this.promotionCodes.values()].find(({ id }) => id === promotion_code);
      if (!code) return [];
      const end = code.coupon.duration === "repeating" ? this.now() + REPEATING_S : null;
      const source = { type: "coupon" as const, coupon: code.coupon };
      return [{ id: this.makeId("di"), object: "discount" as const, promotion_code, end, source }];
    });
  }

  subscribe(customer: string, price: StripePrice, change: Partial<StripeSubscription> = {}): StripeSubscription {
    const created = this.now();
    const subscription: StripeSubscription = {
      id: this.makeId("sub"),
      object: "subscription",
      customer,
      status: "active",
      created,
      currency: price.currency,
      ended_at: null,
      cancel_at: null,
      cancel_at_period_end: false,
      cancellation_details: { feedback: null, comment: null },
      pause_collection: null,
      latest_invoice: { id: this.makeId("in"), object: "invoice", created, discounts: [] },
      metadata: {},
      discounts: [],
      items: { data: [{ id: this.makeId("si"), price, current_period_end: created + periodOf(price) }] },
      ...change,
    };
    this.subscriptions.set(subscription.id, subscription);
    this.charge(customer);
    this.emit("customer.subscription.created", subscription);
    return subscription;
  }

  charge(customer: string): string {
    const id = this.makeId("ch");
    this.charges.set(id, { id, object: "charge", customer, refunded: false });
    return id;
  }

  /** Changes a subscription, as a renewal, the portal or the dashboard does. */
  change(id: string, change: Partial<StripeSubscription>): StripeSubscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error(`No subscription ${id}`);
    Object.assign(subscription, change);
    const isOver = subscription.status === "canceled";
    this.emit(isOver ? "customer.subscription.deleted" : "customer.subscription.updated", subscription);
    return subscription;
  }

  /** The card is refused at the renewal: the period still moves on. */
  failRenewal(id: string): void {
    const item = this.subscriptions.get(id)?.items.data[0];
    if (item) item.current_period_end += periodOf(item.price);
    const latest_invoice = { id: this.makeId("in"), object: "invoice" as const, created: this.now(), discounts: [] };
    this.invoices.push({ ...latest_invoice, subscription: id, status: "open" });
    this.change(id, { status: "past_due", latest_invoice });
    this.emit("invoice.payment_failed", { ...latest_invoice, customer: this.subscriptions.get(id)?.customer });
  }

  /** Every open invoice is paid, after which the subscription runs again. */
  payInvoices(id: string): void {
    for (const invoice of this.invoices) if (invoice.subscription === id) invoice.status = "paid";
    this.change(id, { status: "active" });
  }

  /** A request as Stripe would send it for an event; the signature covers the text to the byte. */
  sign(event: unknown, { secret, at = this.now() }: { secret: string; at?: number }) {
    const payload = JSON.stringify({ object: "event", api_version: "2026-10-28.endive", ...(event as object) });
    const signature = createHmac("sha256", secret).update(`${at}.${payload}`).digest("hex");
    return { payload, signature: `t=${at},v1=${signature}` };
  }
}

/** The latest invoice has every discount, and one of a single payment leaves the subscription with it. */
function spendOnce(subscription: StripeSubscription): void {
  subscription.latest_invoice.discounts = subscription.discounts;
  subscription.discounts = subscription.discounts.filter(({ source }) => source.coupon.duration !== "once");
}

function endPause(subscription: StripeSubscription, now: number): void {
  const { resumes_at = null } = subscription.pause_collection ?? {};
  if (resumes_at !== null && resumes_at <= now) subscription.pause_collection = null;
}

const periodOf = ({ recurring }: StripePrice) => (recurring.interval === "year" ? 365 : 30) * DAY_S;
