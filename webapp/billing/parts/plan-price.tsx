import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useState } from "react";
import type { ShownPlan } from "#shared/billing/limit-rows.ts";
import { formatPrice } from "#shared/billing/currency.ts";
import type { PaidPlan, PriceInfo, Recurrence } from "#shared/billing/schema.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { type Offer, startCheckout } from "../state.ts";
import "./plan-price.css";

interface Props {
  plan: ShownPlan;
  offer: Offer;
  recurrence: Recurrence;
  coupon: string;
  onProblem: (message: string | undefined) => void;
  /** Whether the button has the primary style. By default only the button of PLUS has it. */
  isPrimary?: boolean;
}

/** The price of a plan, and the button that buys it. */
export function PlanPrice({ plan, offer, ...purchase }: Props) {
  const isSignedIn = readToken() !== undefined;
  if (plan === "FREE") return <FreePrice offer={offer} isSignedIn={isSignedIn} />;
  return (
    <>
      <Amounts price={offer.prices[plan]} recurrence={purchase.recurrence} />
      {offer.settings && (isSignedIn ? <Choose plan={plan} {...purchase} /> : <SignInToChoose plan={plan} />)}
    </>
  );
}

function FreePrice({ offer, isSignedIn }: { offer: Offer; isSignedIn: boolean }) {
  return (
    <>
      <p className="plan-price">{format(offer.prices.PLUS, 0)}</p>
      <p className="plan-price-note">{t("billing.free_note")}</p>
      {isSignedIn ? (
        <CurrentPlan plan="FREE" />
      ) : (
        <Link className="button button-secondary plan-price-button" to={screenPath("register", {})}>
          {t("billing.start_free")}
        </Link>
      )}
    </>
  );
}

const format = (price: PriceInfo, amount: number) => formatPrice(price, amount, documentLanguage());

function Amounts({ price, recurrence }: { price: PriceInfo; recurrence: Recurrence }) {
  const { monthly, yearly, yearly_discount_percent: percent } = price;
  const isYearly = recurrence === "yearly";
  const perYear = { price: format(price, yearly), percent };
  return (
    <>
      <p className="plan-price">
        {format(price, isYearly ? yearly / 12 : monthly)} <small>{t("billing.a_month_short")}</small>
      </p>
      <p className="plan-price-note">
        {isYearly ? (
          <>
            {percent > 0 ? t("billing.yearly_less", perYear) : t("billing.yearly_plain", perYear)}
            <br />
            {t("billing.or_monthly", { price: format(price, monthly) })}
          </>
        ) : (
          percent > 0 && t("billing.or_yearly", perYear)
        )}
      </p>
    </>
  );
}

function SignInToChoose({ plan }: { plan: PaidPlan }) {
  return (
    <Link
      className={`button button-${plan === "PLUS" ? "primary" : "secondary"} plan-price-button`}
      to={screenPath("login", {})}
      search={{ from: screenPath("pricing", {}) }}
    >
      {t("billing.choose", { plan: t(`user.plan_${plan}`) })}
    </Link>
  );
}

export function CurrentPlan({ plan }: { plan: ShownPlan }) {
  const user = useAtomValue(userAtom);
  const now = useNow();
  if (!user || effectivePlan(user.plan, now) !== plan) return null;
  return <p className="plan-price-current">{t("billing.current")}</p>;
}

type ChooseProps = Omit<Props, "plan" | "offer"> & { plan: PaidPlan };

function Choose({ plan, recurrence, coupon, onProblem, isPrimary = plan === "PLUS" }: ChooseProps) {
  const user = useAtomValue(userAtom);
  const now = useNow();
  const [isPending, setPending] = useState(false);
  if (user && effectivePlan(user.plan, now) === plan) return <CurrentPlan plan={plan} />;
  const choose = async () => {
    setPending(true);
    onProblem(await startCheckout(plan, recurrence, coupon));
    setPending(false);
  };
  return (
    <Button
      variant={isPrimary ? "primary" : "secondary"}
      className="plan-price-button"
      pending={isPending}
      onClick={() => void choose()}
    >
      {t("billing.choose", { plan: t(`user.plan_${plan}`) })}
    </Button>
  );
}
