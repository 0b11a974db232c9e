import { fromMinorUnits } from "#shared/billing/currency.ts";
import type { Invoice } from "#shared/billing/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { findPayer } from "./store.ts";
import { callStripe, isMissingResource, isRefusal } from "./stripe-client.ts";

const MAX_INVOICES = 24;
/** Our status for each of Stripe's; a draft is not an invoice yet. */
const STATUSES: Partial<Record<string, Invoice["status"]>> = {
  paid: "paid",
  open: "open",
  uncollectible: "open",
  void: "void",
};

/**
 * The latest invoices of the caller's customer, the newest first; none for one that was deleted at the provider. Fails
 * with `unreachable` if the secret key may not read invoices.
 */
export async function listInvoices({
  own,
  settings,
  log,
}: Pick<UserCtx, "own" | "settings" | "log">): Promise<Invoice[]> {
  const payer = await findPayer(own);
  if (!payer?.customerId) return [];
  const { customerId } = payer;
  try {
    const { data } = await callStripe(settings, (stripe) =>
      stripe.invoices.list({ customer: customerId, limit: MAX_INVOICES }),
    );
    return data.flatMap(({ id, created, total, currency, status, hosted_invoice_url: url }) => {
      const shown = STATUSES[status ?? "draft"];
      if (id === undefined || shown === undefined) return [];
      const amount = fromMinorUnits(total, currency);
      return [
        { id, createdAt: created * 1000, amount, currency: currency.toUpperCase(), status: shown, url: url ?? null },
      ];
    });
  } catch (error) {
    if (isMissingResource(error)) return [];
    if (!isRefusal(error)) throw error;
    log.warn({ err: error }, "the payment provider refused to list invoices");
    throw new Failure("unreachable", "payments_unreachable");
  }
}
