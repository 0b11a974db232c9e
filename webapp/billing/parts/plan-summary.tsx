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
import { discountText, formatDate, formatMoney } from "./discount-text.ts";

/** The plan, what happens to it next, and what can be done about it. */
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
      {subscription ? <SubscriptionText subscription={subscription} now={now} /> : <GrantText plan={plan} now={now} />}
      {isFreeToBuy(billing) && <MoreFrom />}
      <Actions billing={billing} now={now} />
    </>
  );
}

const isFreeToBuy = ({ isConfigured, plan, subscription }: Billing) =>
  isConfigured && plan.type === "FREE" && subscription === null;

/** What the next plan costs at least, from the same prices as the comparison. */
function MoreFrom() {
  const offer = useAtomValue(offerAtom);
  const accountId = useAtomValue(accountIdAtom);
  useEffect(() => void loadOffer(accountId), [accountId]);
  if (!offer || offer.isFallback) return null;
  const { PLUS: price } = offer.prices;
  const least = formatPrice(price, Math.min(price.monthly, price.yearly / 12), documentLanguage());
  return <p>{t("billing.more_from", { plan: t("user.plan_PLUS"), price: least })}</p>;
}

function GrantText({ plan, now }: { plan: Plan; now: number }) {
  if (plan.type === "FREE") return <p>{t("billing.free_text")}</p>;
  if (plan.endAt === null) return <p>{t("billing.granted")}</p>;
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
    <>
      <p>{t("billing.renews", { price: formatAmount(subscription), date: formatDate(periodEndsAt) })}</p>
      {discount && <p>{discountText(discount, currency)}</p>}
    </>
  );
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
