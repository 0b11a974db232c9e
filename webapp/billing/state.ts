import { atom } from "jotai/vanilla";
import { defaultPrices, toPriceInfo } from "#shared/billing/prices.ts";
import type {
  Billing,
  CancellationReason,
  CouponCheck,
  Invoice,
  PaidPlan,
  PaymentSettings,
  Recurrence,
  RegionalPrice,
} from "#shared/billing/schema.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { Failure, type FailureCode } from "#shared/contract/failure.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openExternal } from "#webapp/app/navigation.ts";
import { accountAtom, accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount, watchSession } from "#webapp/app/session/load-for-account.ts";
import { renew } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";

type BillingState = { state: "loading" | "failed" } | { state: "ready"; billing: Billing };

const billingStateAtom = accountAtom<BillingState>({ state: "loading" });
export const billingAtom = atom((get) => get(billingStateAtom));

export interface Offer {
  prices: RegionalPrice;
  /** Undefined if the request failed. The prices are then the default prices in US dollars. */
  settings: PaymentSettings | undefined;
}

const offerStateAtom = accountAtom<Offer | null>(null);
/** Prices and payment settings; null while loading. */
export const offerAtom = atom((get) => get(offerStateAtom));

const defaultPriceInfo = (plan: PaidPlan) =>
  toPriceInfo({ amounts: defaultPrices[plan], currency: "usd", country: "US", language: documentLanguage() });
const defaultRegionalPrice = (): RegionalPrice => ({
  PLUS: defaultPriceInfo("PLUS"),
  ULTIMATE: defaultPriceInfo("ULTIMATE"),
});

/** Loads the offer of this account. A response that arrives after a change of account is discarded. */
export async function loadOffer(accountId: string | undefined): Promise<void> {
  try {
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const [prices, settings] = await Promise.all([
      client.billing.getRegionalPrice({ timezone }),
      client.billing.getPaymentSettings({}),
    ]);
    if (store.get(accountIdAtom) === accountId) store.set(offerStateAtom, { prices, settings });
  } catch (error) {
    logWarning("Prices could not be loaded", error);
    if (store.get(accountIdAtom) !== accountId) return;
    store.set(offerStateAtom, (shown) => shown ?? { prices: defaultRegionalPrice(), settings: undefined });
  }
}

let providerUpdates = 0;

/**
 * Shows billing that comes from the payment provider, which is newer than any `loadBilling` in flight. Nothing is shown
 * if the session has ended in the meantime.
 */
async function showBilling(request: () => Promise<Billing>): Promise<Billing> {
  const isCurrent = watchSession();
  const billing = await request();
  if (!isCurrent()) return billing;
  providerUpdates += 1;
  store.set(billingStateAtom, { state: "ready", billing });
  return billing;
}

export function loadBilling(): Promise<void> {
  const before = providerUpdates;
  return loadForAccount(
    () => client.billing.getBilling({}),
    (billing) => {
      if (providerUpdates === before) store.set(billingStateAtom, { state: "ready", billing });
    },
    (error) => {
      logWarning("Billing could not be loaded", error);
      store.set(billingStateAtom, (shown) => (shown.state === "ready" ? shown : { state: "failed" }));
    },
  );
}

export const loadInvoices = async (): Promise<readonly Invoice[]> => (await client.billing.listInvoices({})).invoices;

/** Called after a visit to the portal, where the plan, its end or the payment method may have changed. */
export async function refreshBilling(): Promise<void> {
  try {
    await showBilling(() => client.billing.refreshBilling({}));
    await renew();
  } catch (error) {
    // The last known state stays on screen until the provider's event or the daily check updates the account.
    logWarning("Billing could not be refreshed", error);
  }
}

const CHECKS = 3;
const CHECK_PAUSE_MS = 2_000;

/** Has the server check for a payment a few times. Resolves to whether the subscription is active. */
export async function awaitPayment(): Promise<boolean> {
  for (let check = 1; ; check += 1) {
    try {
      const billing = await showBilling(() => client.billing.refreshBilling({}));
      if (billing.subscription !== null && billing.subscription.status !== "canceled") {
        await renew();
        return true;
      }
    } catch (error) {
      logWarning("The payment could not be checked", error);
    }
    if (check === CHECKS) return false;
    await new Promise((resolve) => setTimeout(resolve, CHECK_PAUSE_MS));
  }
}

/** Failures whose server message is shown, because it is about the coupon or the plan and not about the connection. */
const SHOWN_REFUSALS: ReadonlySet<FailureCode> = new Set(["bad_input", "not_configured"]);

/** Navigates to the payment page. Resolves to an error message if that fails. */
export async function startCheckout(plan: PaidPlan, rec: Recurrence, coupon: string): Promise<string | undefined> {
  try {
    const code = coupon.trim();
    const { url } = await client.billing.startCheckout({ plan, rec, ...(code === "" ? {} : { coupon_code: code }) });
    openExternal(url);
    return undefined;
  } catch (error) {
    logWarning("Could not open the payment page", error);
    return error instanceof Failure && SHOWN_REFUSALS.has(error.code) ? error.message : t("billing.checkout_failed");
  }
}

export async function openPortal(): Promise<void> {
  try {
    const { url } = await client.billing.openPortal({});
    openExternal(url);
  } catch (error) {
    logWarning("Failed to open billing portal", error);
    notify({ message: t("billing.portal_failed"), type: "error" });
  }
}

/** Changes the subscription. Resolves to an error message if that fails. */
async function change(call: () => Promise<Billing>): Promise<string | undefined> {
  try {
    await showBilling(call);
    await renew();
    return undefined;
  } catch (error) {
    return refusalMessage(error);
  }
}

function refusalMessage(error: unknown): string {
  logWarning("The subscription could not be changed", error);
  if (error instanceof Failure && error.code === "unreachable") return error.message;
  return (
    toFailureMessage(error)?.message ?? (error instanceof NoResponseError ? t("failures.network") : t("failures.other"))
  );
}

/** A coupon's discount and the discounts that it would replace; an error message if it cannot be redeemed. */
export async function checkCoupon(code: string): Promise<CouponCheck | string> {
  try {
    return await client.billing.checkCoupon({ coupon_code: code });
  } catch (error) {
    return refusalMessage(error);
  }
}

export const pauseSubscription = (days: number) => change(() => client.billing.pauseSubscription({ days }));
/** `replaces` names the discounts that the student agreed to end. */
export const redeemCoupon = (code: string, replaces: string[]) =>
  change(() => client.billing.redeemCoupon({ coupon_code: code, replaces }));
export const cancelSubscription = (reason: CancellationReason | null, comment: string) =>
  change(() => client.billing.cancelSubscription({ reason, comment }));

export async function resumeSubscription(): Promise<void> {
  const message = await change(() => client.billing.resumeSubscription({}));
  if (message !== undefined) notify({ message, type: "error" });
}
