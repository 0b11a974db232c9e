import type Stripe from "stripe";
import type { ListedSubscription } from "#shared/billing/subscription-plan.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import type { CollectionSpec, OwnedDoc } from "#api/store/port.ts";
import { callStripe, isRefusal } from "./stripe-client.ts";

/** A promotion code that an account has used; `_id` contains the ids of both. */
const usedCodes: CollectionSpec<OwnedDoc> = { name: "used_codes", shardKey: "ownerId", indexes: [] };

const usedId = (own: Own, promotionId: string) => `${own.ownerId}:${promotionId}`;

/** Records a code as used, so that it cannot be entered again when its discount ends. False if it was used before. */
export const claimCode = async (own: Own, promotionId: string): Promise<boolean> =>
  (await own.in(usedCodes).insert({ _id: usedId(own, promotionId) })) === "inserted";

/** Refuses a code that the account used before. */
export async function requireUnused(own: Own, promotionId: string): Promise<void> {
  if ((await own.in(usedCodes).get(usedId(own, promotionId))) !== undefined) throw codeUsed();
}

export const releaseCode = (own: Own, promotionId: string) =>
  own.in(usedCodes).remove({ _id: usedId(own, promotionId) });

/** Codes from checkout and from the portal count as used too, unless the first payment was never made. */
export async function rememberCodes(own: Own, listed: readonly ListedSubscription[]): Promise<void> {
  const paid = listed.filter(({ status }) => status !== "incomplete" && status !== "incomplete_expired");
  const used = paid.flatMap(({ discounts, invoicedPromotionIds }) => [
    ...discounts.flatMap(({ promotionId }) => promotionId ?? []),
    ...invoicedPromotionIds,
  ]);
  for (const promotionId of new Set(used)) await claimCode(own, promotionId);
}

interface Promotion {
  id: string;
  coupon: Stripe.Coupon;
}

/** Finds a promotion code at the provider; refuses one that is not valid. */
export async function findPromotion({ settings }: UserCtx, code: string): Promise<Promotion> {
  const { data } = await callStripe(settings, (stripe) =>
    stripe.promotionCodes.list({ code, active: true, limit: 1, expand: ["data.promotion.coupon"] }),
  ).catch((error: unknown) => {
    if (isRefusal(error)) return { data: [] };
    throw error;
  });
  const [found] = data;
  const coupon = found?.promotion.coupon;
  if (!found || !coupon || typeof coupon === "string") throw codeNotValid();
  return { id: found.id, coupon };
}

export const codeUsed = () => new Failure("bad_input", "coupon_used");
export const codeNotValid = () => new Failure("bad_input", "coupon_not_valid");
