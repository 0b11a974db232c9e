// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { toPriceInfo } from "#shared/billing/prices.ts";
import type { Billing, Discount, PaymentSettings, Subscription } from "#shared/billing/schema.ts";
import type { Plan } from "#shared/user/schema.ts";
import { ada, type Answers, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { setAssignLocation } from "#webapp/app/navigation.ts";
import { closeOverlay } from "#webapp/app/overlays.ts";

const GB = 1024 ** 3;
const DAY_MS = 86_400_000;
const priceOf = (monthly: number, yearly: number) =>
  toPriceInfo({ amounts: { monthly, yearly }, currency: "usd", country: "US", language: "en" });
const plus: Plan = { type: "PLUS", endAt: null, paused: false, pausedUntil: null };
const subscription: Subscription = {
  id: "sub_1",
  status: "active",
  plan: plus,
  recurrence: "monthly",
  currency: "USD",
  amount: 8,
  periodEndsAt: Date.now() + 20 * DAY_MS,
  isEnding: false,
  graceEndsAt: null,
};

const selling: PaymentSettings = {
  isConfigured: true,
  storageBytes: { FREE: GB, PLUS: 20 * GB, ULTIMATE: 100 * GB },
  newAccountPlan: "FREE",
  operator: { name: null, email: null },
};
const giving: PaymentSettings = {
  ...selling,
  isConfigured: false,
  operator: { name: "Riverside College", email: "study@riverside.example" },
};

/** A server with payments, and its answers about the account. */
function paying(more: Partial<Billing> = {}, billing: Answers["billing"] = {}): Answers {
  const state: Billing = { isConfigured: true, plan: ada.plan, subscription: null, hasPortal: false, ...more };
  return {
    auth: {
      getUser: () => ({ user: { ...ada, plan: state.plan }, organization: null, tempToken: "temp" }),
      listSessions: () => refuse("limit_reached", "You've reached your usage limit. Upgrade to continue!"),
    },
    billing: {
      getBilling: () => state,
      getRegionalPrice: () => ({ PLUS: priceOf(8, 76), ULTIMATE: priceOf(20, 144) }),
      getPaymentSettings: () => selling,
      listInvoices: () => ({ invoices: [] }),
      ...billing,
    },
  };
}

/** Records the addresses to which the browser is redirected. */
function recordLeaving(): string[] {
  const left: string[] = [];
  setAssignLocation((address) => left.push(address));
  return left;
}

test("prices change with the billing period, and a code is checked before the plan is bought", async () => {
  const left = recordLeaving();
  const sent: unknown[] = [];
  const startCheckout = (asked: Readonly<Record<string, unknown>>) => {
    sent.push(asked);
    return asked["coupon_code"] === "OLD"
      ? refuse("bad_input", "This code is not valid.")
      : { url: "https://pay.example" };
  };
  await openApp("/pricing", { signedIn: true, answers: paying({}, { startCheckout }) });
  await screen.findByText("$76 a year, 20% less", { exact: false });
  await userEvent.click(screen.getByRole("radio", { name: "Monthly" }));
  await screen.findByText("or $144 a year, 40% less");
  await userEvent.click(await screen.findByRole("button", { name: "I have a code" }));
  await userEvent.type(screen.getByLabelText("Discount code"), "OLD");
  await userEvent.click(screen.getByRole("button", { name: "Choose Plus" }));
  await screen.findByText("This code is not valid.");
  expect(left).toEqual([]);
  await userEvent.clear(screen.getByLabelText("Discount code"));
  await userEvent.click(screen.getByRole("button", { name: "Choose Ultimate" }));
  await waitFor(() => expect(left).toEqual(["https://pay.example"]));
  expect(sent).toEqual([
    { plan: "PLUS", rec: "monthly", coupon_code: "OLD" },
    { plan: "ULTIMATE", rec: "monthly" },
  ]);
});

test("a plan that cannot be bought shows a message, without a redirect", async () => {
  const left = recordLeaving();
  const message = "This plan cannot be bought at the moment. Nothing was charged.";
  const answers = paying({}, { startCheckout: () => refuse("not_configured", message) });
  await openApp("/pricing", { signedIn: true, answers });
  await screen.findByRole("row", { name: "Space for your files 1 GB 20 GB 100 GB" });
  await userEvent.click(await screen.findByRole("button", { name: "Choose Plus" }));
  await screen.findByText(message);
  expect(left).toEqual([]);
});

test("if the server cannot be reached, the plans are shown with the default prices and without buttons to buy", async () => {
  await openApp("/pricing", { signedIn: false });
  await screen.findByText("Prices could not be loaded. These are the usual ones in US dollars.");
  expect(screen.getByRole("row", { name: "Cards you study 3 a day No limit No limit" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Choose Plus" })).toBeNull();
});

test.each([
  ["where plans are sold", "What free includes", selling, {}],
  ["where nothing is sold", "Plans on this server", giving, { plan: { ...plus, type: "ULTIMATE" } }],
] as const)("a link to the free plan leads to its part of the prices once they are loaded, %s", async (...row) => {
  const [, heading, paymentSettings, more] = row;
  const shown: (string | null)[] = [];
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function show(this: Element) {
    shown.push(this.textContent);
  });
  const arrived = createDeferred<PaymentSettings>();
  const answers = paying(more, { getPaymentSettings: () => arrived.promise });
  await openApp("/pricing#free", { signedIn: true, answers });
  await screen.findByRole("status", { name: "Loading" });
  // The screen of the previous test may have scrolled too.
  shown.length = 0;
  arrived.resolve(paymentSettings);
  await waitFor(() => expect(shown[0]).toContain(heading));
  scroll.mockRestore();
});

test("billing lists the latest invoices with their date, amount and page at the payment provider", async () => {
  const url = "https://invoice.stripe.com/i/1";
  const createdAt = Date.UTC(2026, 9, 28, 12);
  const invoices = [
    { id: "in_2", createdAt, amount: 8, currency: "USD", status: "open" as const, url: null },
    { id: "in_1", createdAt: createdAt - 30 * DAY_MS, amount: 7.5, currency: "EUR", status: "paid" as const, url },
  ];
  const more = { subscription, plan: plus, hasPortal: true };
  await openApp("/billing", { signedIn: true, answers: paying(more, { listInvoices: () => ({ invoices }) }) });
  const link = await screen.findByRole("link", { name: "View invoice of September 28, 2026" });
  expect(link.getAttribute("href")).toBe(url);
  const rows = [...document.querySelectorAll(".billing-invoice")].map(({ textContent }) => textContent.trim());
  expect(rows).toEqual(["October 28, 2026$8Not paid", "September 28, 2026€7.50PaidView"]);
  cleanup();
  await openApp("/billing", {
    signedIn: true,
    answers: paying(more, { listInvoices: () => refuse("unreachable", "") }),
  });
  await screen.findByText("Your invoices could not be loaded. They are at the payment provider.");
});

test("if the portal cannot be opened, a message is shown", async () => {
  const answers = paying(
    { subscription, plan: plus, hasPortal: true },
    { openPortal: () => refuse("unreachable", "") },
  );
  await openApp("/billing", { signedIn: true, answers });
  await userEvent.click(await screen.findByRole("button", { name: "Invoices and payment method" }));
  await screen.findByText("Failed to open billing portal. Please try again or contact support.");
});

test("after a return from the portal the new state is shown, without thanks for a purchase", async () => {
  const state = { isConfigured: true, plan: plus, subscription: { ...subscription, isEnding: true }, hasPortal: true };
  const answers = paying({ subscription, plan: plus, hasPortal: true }, { refreshBilling: () => state });
  await openApp("/billing?checkout=back", { signedIn: true, answers });
  await screen.findByRole("button", { name: "Keep my plan" });
  expect(screen.queryByText(/Thank you/)).toBeNull();
});

/** Enters a code that would replace the running discount, and waits for the confirmation dialog. */
const enterReplacingCode = async () => {
  await userEvent.click(await screen.findByRole("button", { name: "I have a code" }));
  await userEvent.type(screen.getByLabelText("Discount code"), "ONCE");
  await userEvent.click(screen.getByRole("button", { name: "Apply code" }));
  await screen.findByText("Now: 20% off every payment until February 3, 2027.");
  await screen.findByText("With the code: $1 off the next payment.");
};

test("a discount is shown with its end, and a code can be redeemed beside the subscription", async () => {
  const sent: unknown[] = [];
  const discount = { percent: 20, amount: null, endsAt: Date.UTC(2027, 1, 3, 12), isOnce: false };
  const once = { percent: null, amount: 1, endsAt: null, isOnce: true };
  const shown = (current: Discount) => ({
    isConfigured: true,
    plan: plus,
    subscription: { ...subscription, discount: current },
    hasPortal: true,
  });
  const answers = paying(
    { subscription, plan: plus },
    {
      checkCoupon: ({ coupon_code }) => {
        if (coupon_code === "OLD") return refuse("bad_input", "This code is not valid.");
        return coupon_code === "ONCE"
          ? { discount: once, replaced: [{ id: "di_1", ...discount }] }
          : { discount, replaced: [] };
      },
      redeemCoupon: (asked) => {
        sent.push(asked);
        return shown(asked["coupon_code"] === "ONCE" ? once : discount);
      },
    },
  );
  await openApp("/billing", { signedIn: true, answers });
  await userEvent.click(await screen.findByRole("button", { name: "I have a code" }));
  await userEvent.click(screen.getByRole("button", { name: "Apply code" }));
  await screen.findByText("Enter a code first.");
  await userEvent.type(screen.getByLabelText("Discount code"), "OLD");
  await userEvent.click(screen.getByRole("button", { name: "Apply code" }));
  await screen.findByText("This code is not valid.");
  await userEvent.clear(screen.getByLabelText("Discount code"));
  await userEvent.type(screen.getByLabelText("Discount code"), "STUDY20");
  await userEvent.click(screen.getByRole("button", { name: "Apply code" }));
  await screen.findByText("20% off every payment until February 3, 2027.");
  // A running discount ends only after confirmation.
  await enterReplacingCode();
  await userEvent.click(screen.getByRole("button", { name: "Keep my discount" }));
  expect(sent).toEqual([{ coupon_code: "STUDY20", replaces: [] }]);
  await enterReplacingCode();
  await userEvent.click(screen.getByRole("button", { name: "Replace discount" }));
  await screen.findByText("$1 off the next payment.");
  expect(sent.at(-1)).toEqual({ coupon_code: "ONCE", replaces: ["di_1"] });
});

test("the code that was checked is redeemed, even if the field was changed during the check", async () => {
  const sent: unknown[] = [];
  const check = createDeferred<void>();
  const discount = { percent: 20, amount: null, endsAt: Date.UTC(2027, 1, 3, 12), isOnce: false };
  const answers = paying(
    { subscription, plan: plus },
    {
      checkCoupon: async () => {
        await check.promise;
        return { discount, replaced: [{ id: "di_1", ...discount }] };
      },
      redeemCoupon: (asked) => {
        sent.push(asked);
        return { isConfigured: true, plan: plus, subscription: { ...subscription, discount }, hasPortal: true };
      },
    },
  );
  await openApp("/billing", { signedIn: true, answers });
  await userEvent.click(await screen.findByRole("button", { name: "I have a code" }));
  await userEvent.type(screen.getByLabelText("Discount code"), "SAVE10{Enter}later");
  check.resolve();
  await userEvent.click(await screen.findByRole("button", { name: "Replace discount" }));
  await waitFor(() => expect(sent).toEqual([{ coupon_code: "SAVE10", replaces: ["di_1"] }]));
});

test("pausing shows for how long, and a refused cancellation shows its message on the screen", async () => {
  const sent: unknown[] = [];
  const pausedUntil = Date.now() + 60 * DAY_MS;
  const pausedPlan: Plan = { ...plus, paused: true, pausedUntil };
  const answers = paying(
    { subscription, plan: plus, hasPortal: true },
    {
      cancelSubscription: (asked) => {
        sent.push(asked);
        return refuse("unreachable", "The payment service could not be reached. Please try again in a moment.");
      },
      pauseSubscription: (asked) => {
        sent.push(asked);
        const paused = { ...subscription, plan: pausedPlan };
        return { isConfigured: true, plan: pausedPlan, subscription: paused, hasPortal: true };
      },
    },
  );
  await openApp("/billing", { signedIn: true, answers });
  await userEvent.click(await screen.findByRole("button", { name: "Cancel subscription" }));
  await userEvent.selectOptions(screen.getByLabelText("Why are you leaving? (optional)"), "I don't use it enough");
  await userEvent.click(screen.getByRole("button", { name: "Cancel subscription" }));
  await screen.findByText("The payment service could not be reached. Please try again in a moment.");
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel subscription" }));
  await userEvent.click(screen.getByRole("button", { name: "Pause subscription" }));
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Pause subscription" }));
  await userEvent.click(screen.getByRole("button", { name: "Pause subscription" }));
  await userEvent.click(screen.getByRole("radio", { name: "60 days" }));
  await userEvent.click(screen.getByRole("button", { name: "Pause subscription" }));
  await screen.findByText(/^Paused until/);
  await screen.findByRole("button", { name: "Cancel subscription" });
  expect(screen.queryByRole("radio", { name: "60 days" })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Cancel subscription" }));
  expect(sent).toEqual([{ reason: "unused", comment: "" }, { days: 60 }]);
});

/** Like `paying`, but listing the sign-in sessions is refused at this limit. */
const limited = (limit: string, billing: Answers["billing"] = {}, more: Partial<Billing> = {}): Answers => {
  const answers = paying(more, billing);
  const listSessions = () =>
    refuse("limit_reached", "You've reached your usage limit. Upgrade to continue!", { limit });
  return { ...answers, auth: { ...answers.auth, listSessions } };
};

test("reaching a limit opens the plans, which name the limit, show what other plans allow and cost, and lead to checkout", async () => {
  const left = recordLeaving();
  const sent: unknown[] = [];
  const startCheckout = (asked: unknown) => {
    sent.push(asked);
    return sent.length === 1 ? refuse("unreachable", "Stripe is down.") : { url: "https://pay.example" };
  };
  await openApp("/settings", { signedIn: true, answers: limited("assistantMessages", { startCheckout }) });
  const dialog = await screen.findByRole("dialog", { name: "Tutor messages: limit reached" });
  within(dialog).getByText("You've reached your usage limit. Upgrade to continue!");
  const meter = within(dialog).getByRole("meter", { name: "Tutor messages" });
  expect(meter.getAttribute("aria-valuetext")).toBe("5 of 5 used today.");
  const [first, second] = await within(dialog).findAllByRole("listitem");
  expect(first?.textContent).toMatch(/^PlusTutor messages: 100 a day/);
  expect(second?.textContent).toMatch(/^UltimateTutor messages: No limit/);
  await within(dialog).findByText("$76 a year, 20% less", { exact: false });
  await userEvent.click(within(dialog).getByRole("radio", { name: "Monthly" }));
  await within(dialog).findByText("or $144 a year, 40% less");
  await userEvent.click(await within(dialog).findByRole("button", { name: "Choose Ultimate" }));
  expect((await within(dialog).findByRole("alert")).textContent).toContain("Could not open the payment page.");
  await userEvent.click(within(dialog).getByRole("button", { name: "Choose Plus" }));
  await waitFor(() => expect(left).toEqual(["https://pay.example"]));
  expect(sent).toEqual([
    { plan: "ULTIMATE", rec: "monthly" },
    { plan: "PLUS", rec: "monthly" },
  ]);
  expect(within(dialog).getByRole("link", { name: "Compare plans" }).getAttribute("href")).toBe("/pricing");
  act(closeOverlay);
});

test("on Plus only Ultimate is offered, and at a limit that no plan raises a message says so", async () => {
  await openApp("/settings", { signedIn: true, answers: limited("podcastCreations", {}, { plan: plus }) });
  const dialog = await screen.findByRole("dialog", { name: "Podcasts: limit reached" });
  await within(dialog).findByText("30 of 30 used today.");
  within(dialog).getByText("No other plan allows more of this.");
  await within(dialog).findByRole("button", { name: "Choose Ultimate" });
  expect(within(dialog).queryByRole("button", { name: "Choose Plus" })).toBeNull();
  act(closeOverlay);
});

test("if nothing is sold, the plans name the limit and whom to ask, without a price", async () => {
  const answers = limited("pdfToFlashcardsPages", { getPaymentSettings: () => giving }, { isConfigured: false });
  await openApp("/settings", { signedIn: true, answers });
  const dialog = await screen.findByRole("dialog", { name: "PDF to flashcards: limit reached" });
  await within(dialog).findByText("For higher limits, ask Riverside College.");
  const write = within(dialog).getByRole("link", { name: "Write to study@riverside.example" });
  expect(write.getAttribute("href")).toBe("mailto:study@riverside.example?subject=My%20plan%20on%20Lamplight");
  within(dialog).getByText("Your plan: First 10 pages");
  within(dialog).getAllByText("First 300 pages");
  expect(within(dialog).queryByRole("button", { name: /^Choose/ })).toBeNull();
  expect(dialog.textContent).not.toContain("$");
  act(closeOverlay);
});

test("on a server that sells nothing, the plans have no prices and the student's own plan is marked", async () => {
  const ultimate: Plan = { ...plus, type: "ULTIMATE" };
  const answers = paying({ plan: ultimate }, { getPaymentSettings: () => giving });
  await openApp("/pricing", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Plans on this server" });
  await screen.findByText("You have Ultimate, the plan with the highest limits.");
  const heads = screen.getAllByRole("columnheader").map((head) => head.textContent);
  expect(heads.filter((head) => head?.includes("Your plan"))).toEqual(["UltimateThe highest limitsYour plan"]);
  expect(screen.getByRole("main").textContent).not.toContain("$");
  expect(screen.queryByRole("radio", { name: "Monthly" })).toBeNull();
});

test("on a server that sells nothing, the administrator sees how to set an account's plan", async () => {
  const answers = paying({ isConfigured: false }, { getPaymentSettings: () => giving });
  const admin = { ...ada, isAdmin: true };
  const getUser = () => ({ user: admin, organization: null, tempToken: "temp" });
  await openApp("/billing", { signedIn: true, answers: { ...answers, auth: { getUser } } });
  const link = await screen.findByRole("link", { name: "Set the plan of an account" });
  expect(link.getAttribute("href")).toBe("/admin/user");
  screen.getByText(`npm run plan -- ${ada.email} PLUS 2027-06-30`);
});
