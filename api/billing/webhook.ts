import type Stripe from "stripe";
import { Failure } from "#shared/contract/failure.ts";
import type { Ctx } from "#api/http/handler.ts";
import { ownedBy, type Own } from "#api/store/owned-store.ts";
import { endSubscriptions, refreshPlan } from "./refresh-plan.ts";
import {
  type BillingNoteDoc,
  findPayerOfCustomer,
  hasPaymentEvent,
  saveBillingNote,
  saveFailedPaymentEvent,
  savePaymentEvent,
} from "./store.ts";
import { callStripe, getStripe, isMissingResource } from "./stripe-client.ts";

/** Older signatures are refused, so that a recorded request cannot be sent again. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies an event on its raw body and applies it, unless its id was applied before. Only the customer is taken from
 * the event: the state is read from the provider. An error is answered with 5xx, so that the provider sends the event
 * again.
 */
export async function applyEvent(ctx: Ctx, payload: string): Promise<void> {
  const event = await verify(ctx, payload);
  if (await hasPaymentEvent(ctx.store, event.id)) return;
  try {
    const own = await findAccount(ctx, event);
    if (own) {
      await noteForAdmin(ctx, own, event);
      await refreshPlan(ctx, own);
    }
  } catch (error) {
    await saveFailedPaymentEvent(ctx.store, event.id, ctx.clock.now());
    throw error;
  }
  await savePaymentEvent(ctx.store, { _id: event.id, receivedAt: ctx.clock.now() });
}

async function verify(ctx: Ctx, payload: string): Promise<Stripe.Event> {
  const { settings, clock } = ctx;
  const { STRIPE_WEBHOOK_SECRET: secret } = settings;
  if (secret === undefined) throw new Failure("not_found", "payments_not_set_up");
  const stripe = await getStripe(settings);
  try {
    return await stripe.webhooks.constructEventAsync(
      payload,
      ctx.header("stripe-signature") ?? "",
      secret,
      TOLERANCE_SECONDS,
      undefined,
      clock.now(),
    );
  } catch {
    throw new Failure("bad_input", "payment_signature");
  }
}

/** The account of an event's customer; undefined for customers and events that do not concern us. */
async function findAccount(ctx: Ctx, event: Stripe.Event): Promise<Own | undefined> {
  const customerId = await customerOf(ctx, event);
  const payer = customerId === undefined ? undefined : await findPayerOfCustomer(ctx.store, customerId);
  return payer && ownedBy(ctx.store, payer.ownerId);
}

async function customerOf(ctx: Ctx, event: Stripe.Event): Promise<string | undefined> {
  const object = event.data.object as { object?: unknown; id?: unknown; customer?: unknown; charge?: unknown };
  if (object.object === "customer") return idOf(object.id);
  if (object.object !== "dispute") return idOf(object.customer);
  // A dispute names only the charge.
  const chargeId = idOf(object.charge);
  if (chargeId === undefined) return undefined;
  const charge = await ignoreMissing(callStripe(ctx.settings, (stripe) => stripe.charges.retrieve(chargeId)));
  return idOf(charge?.customer);
}

const idOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "id" in value ? idOf(value.id) : undefined;
};

const ignoreMissing = <T>(call: Promise<T>): Promise<T | undefined> =>
  call.catch((error: unknown) => {
    if (isMissingResource(error)) return undefined;
    throw error;
  });

/** Refunds and disputes need a person; a lost dispute also ends the subscription, as the money is gone. */
async function noteForAdmin(ctx: Ctx, own: Own, event: Stripe.Event): Promise<void> {
  const kind = await kindOfNote(ctx, event);
  if (kind === undefined) return;
  const note = { _id: event.id, kind, reason: null, comment: "", createdAt: ctx.clock.now() };
  if ((await saveBillingNote(own, note)) === "inserted")
    ctx.log.warn({ userId: own.ownerId, kind }, "payment disputed or refunded");
  if (kind === "dispute_lost") await endSubscriptions(ctx, own);
}

async function kindOfNote({ settings }: Ctx, event: Stripe.Event): Promise<BillingNoteDoc["kind"] | undefined> {
  if (event.type === "charge.dispute.created") return "disputed";
  if (event.type === "charge.refunded") {
    const { id } = event.data.object;
    const charge = await ignoreMissing(callStripe(settings, (stripe) => stripe.charges.retrieve(id)));
    return charge?.refunded ? "refunded" : undefined;
  }
  if (event.type !== "charge.dispute.closed") return undefined;
  const { id } = event.data.object;
  const dispute = await ignoreMissing(callStripe(settings, (stripe) => stripe.disputes.retrieve(id)));
  return dispute?.status === "lost" ? "dispute_lost" : undefined;
}
