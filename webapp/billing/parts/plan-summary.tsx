import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { formatPrice } from "#shared/billing/currency.ts";
import type { Billing, Subscription } from "#shared/billing/schema.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { effectivePlan, isPlanPaused } from "#shared/billing/effective-plan.ts";
import type { Plan } from "#shared/user/schema.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { loadOffer, offerAtom, openPortal, resumeSubscription } from "../state.ts";
import { formatDiscount, formatDate, formatMoney } from "./format-billing.ts";
import { PlanContactNotice } from "./plan-contact-notice.tsx";

/** The plan, its next payment or end, and buttons to change it. */
export function PlanSummary({ billing }: { billing: Billing }) {
  const now = useNow();
  const { plan, subscription } = billing;
  const shown = effectivePlan(plan, now);
  return (
    <>
      <p className="billing-plan">
        <strong>{t(`user.plan_${isPlanPaused(plan, now) ? plan.type : shown}`)}</strong>
        {isPlanPaused(plan, now) && <Chip>{t("user.plan_paused")}</Chip>}
      </p>
      {subscription ? (
        <SubscriptionText subscription={subscription} now={now} />
      ) : (
        <GrantText plan={plan} now={now} isSold={billing.isConfigured} />
      )}
      {isFreeToBuy(billing) && <MoreFrom />}
      {!billing.isConfigured && <NotSold />}
      <Actions billing={billing} now={now} />
    </>
  );
}

const isFreeToBuy = ({ isConfigured, plan, subscription }: Billing) =>
  isConfigured && plan.type === "FREE" && subscription === null;

function useOffer() {
  const offer = useAtomValue(offerAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => void loadOffer(accountId), [accountId]);
  return offer;
}

function NotSold() {
  const settings = useOffer()?.settings;
  return settings && <PlanContactNotice operator={settings.operator} />;
}

/** The lowest price of the next plan, from the same prices as the comparison. */
function MoreFrom() {
  const offer = useOffer();
  if (!offer?.settings) return null;
  const { PLUS: price } = offer.prices;
  const lowestPrice = formatPrice(price, Math.min(price.monthly, price.yearly / 12), documentLanguage());
  return <p>{t("billing.more_from", { plan: t("user.plan_PLUS"), price: lowestPrice })}</p>;
}

function GrantText({ plan, now, isSold }: { plan: Plan; now: number; isSold: boolean }) {
  if (plan.type === "FREE") return <p>{t("billing.free_text")}</p>;
  if (plan.endAt === null) return <p>{t(isSold ? "billing.granted" : "billing.not_charged")}</p>;
  const date = { date: formatDate(plan.endAt) };
  return <p>{plan.endAt < now ? t("billing.granted_ended", date) : t("billing.granted_until", date)}</p>;
}

function SubscriptionText({ subscription, now }: { subscription: Subscription; now: number }) {
  const { status, plan, isEnding, graceEndsAt } = subscription;
  if (status === "past_due" || status === "unpaid")
    return (
      <div className="billing-problem" role="alert">
        <b>{t("billing.past_due_title")}</b>
        <p>
          {graceEndsAt !== null && graceEndsAt > now
            ? t("billing.past_due", { date: formatDate(graceEndsAt) })
            : t("billing.past_due_over")}
        </p>
        <Button variant="primary" onClick={() => void openPortal()}>
          {t("billing.pay_now")}
        </Button>
      </div>
    );
  if (status === "canceled") {
    const date = formatDate(plan.endAt ?? now);
    return <p>{t("billing.ended", { plan: t(`user.plan_${plan.type}`), date })}</p>;
  }
  if (isPlanPaused(plan, now))
    return (
      <p>
        {plan.pausedUntil === null
          ? t("billing.paused")
          : t("billing.paused_until", { date: formatDate(plan.pausedUntil) })}
      </p>
    );
  if (isEnding && plan.endAt !== null) return <p>{t("billing.ends", { date: formatDate(plan.endAt) })}</p>;
  return <RenewalText subscription={subscription} />;
}

function RenewalText({ subscription }: { subscription: Subscription }) {
  const { periodEndsAt, discount, currency } = subscription;
  if (periodEndsAt === null) return null;
  return (
    <dl className="billing-facts">
      <div>
        <dt>{t("billing.price")}</dt>
        <dd>{formatAmount(subscription)}</dd>
      </div>
      <div>
        <dt>{t("billing.next_payment")}</dt>
        <dd>{formatNextPayment(subscription, periodEndsAt)}</dd>
      </div>
      {discount && (
        <div>
          <dt>{t("billing.discount")}</dt>
          <dd>{formatDiscount(discount, currency)}</dd>
        </div>
      )}
    </dl>
  );
}

/** Formats the date of the next payment; with its amount, unless a discount changes the amount. */
function formatNextPayment({ amount, currency, discount }: Subscription, at: number): string {
  const date = formatDate(at);
  return amount === null || discount ? date : t("billing.amount_on", { price: formatMoney(amount, currency), date });
}

function formatAmount({ amount, currency, recurrence }: Subscription): string {
  if (amount === null) return t(`billing.${recurrence}`);
  const price = formatMoney(amount, currency);
  return recurrence === "monthly" ? t("billing.price_monthly", { price }) : t("billing.price_yearly", { price });
}

function Actions({ billing, now }: { billing: Billing; now: number }) {
  const { subscription, hasPortal } = billing;
  const [isPending, setPending] = useState(false);
  const resume = async () => {
    setPending(true);
    await resumeSubscription();
    setPending(false);
  };
  const isRunning = subscription?.status === "active" || subscription?.status === "trialing";
  const canResume = isRunning && isPlanPaused(subscription.plan, now);
  return (
    <p className="billing-actions">
      {(canResume || (isRunning && subscription.isEnding)) && (
        <Button variant="primary" pending={isPending} onClick={() => void resume()}>
          {t(canResume ? "billing.resume" : "billing.keep")}
        </Button>
      )}
      {isRunning && hasPortal && <Button onClick={() => void openPortal()}>{t("billing.change_plan")}</Button>}
      <Link
        className={`button button-${isFreeToBuy(billing) ? "primary" : "secondary"}`}
        to={screenPath("pricing", {})}
      >
        {t("billing.see_plans")}
      </Link>
    </p>
  );
}
