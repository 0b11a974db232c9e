import { useLocation } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { shownPlans } from "#shared/billing/limit-rows.ts";
import type { PaymentSettings, Recurrence } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { RecurrenceChoice } from "./parts/recurrence-choice.tsx";
import { FreePlan } from "./parts/free-plan.tsx";
import { PlanNotes } from "./parts/plan-notes.tsx";
import { CurrentPlan, PlanPrice } from "./parts/plan-price.tsx";
import { PlanTable } from "./parts/plan-table.tsx";
import { PlanContactNotice } from "./parts/plan-contact-notice.tsx";
import { listLimitRows } from "./plan-limits.ts";
import { loadOffer, type Offer, offerAtom } from "./state.ts";
import "./pricing-screen.css";

export function PricingScreen() {
  useSession();
  const offer = useAtomValue(offerAtom);
  const accountId = useAtomValue(accountIdAtom);
  // The prices depend on the account's currency or, if it has none, on the time zone.
  useEffect(() => void loadOffer(accountId), [accountId]);
  return (
    <div className="pricing">
      {offer ? (
        <Plans offer={offer} />
      ) : (
        <Skeleton label={t("common.loading")} lines={[60, 40, 100, 100]} height={40} />
      )}
    </div>
  );
}

function Plans({ offer }: { offer: Offer }) {
  const hash = useLocation({ select: (location) => location.hash });
  // The browser could not scroll to this section by itself, because the section is rendered only with the offer.
  useEffect(() => {
    if (hash !== "") document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  if (offer.settings?.isConfigured === false) return <GrantedPlans settings={offer.settings} />;
  return <SoldPlans offer={offer} />;
}

const tableWords = () => ({
  compare: t("billing.compare"),
  limit: t("billing.limit"),
  row_all: t("billing.row_all"),
  included: t("billing.included"),
  plans: { FREE: t("user.plan_FREE"), PLUS: t("user.plan_PLUS"), ULTIMATE: t("user.plan_ULTIMATE") },
});

/** The plans of a server that sells none: what each plan allows, and which plan the user has. */
function GrantedPlans({ settings }: { settings: PaymentSettings }) {
  const user = useAtomValue(userAtom);
  const now = useNow();
  const plan = user && effectivePlan(user.plan, now);
  return (
    <>
      <header className="pricing-head">
        <div>
          <h1 id={plan === "FREE" ? undefined : "free"}>{t("billing.given_title")}</h1>
          <p>{t("billing.given_intro")}</p>
        </div>
      </header>
      <PlanContactNotice operator={settings.operator} />
      <PlanTable
        rows={listLimitRows(settings.storageBytes)}
        words={tableWords()}
        highlightedPlan={shownPlans.find((shownPlan) => shownPlan === plan)}
        hint={t("billing.given_hint")}
        renderHead={(shownPlan) => (
          <>
            <p className="plan-price-note plan-given">{t(`billing.given_${shownPlan}`)}</p>
            <CurrentPlan plan={shownPlan} />
          </>
        )}
      />
      {plan === "FREE" && <FreePlan text={(word, params) => t(`billing.${word}`, params)} />}
      <PlanNotes names={["limit", "change"]} text={(word) => t(`billing.${word}`)} />
    </>
  );
}

function SoldPlans({ offer }: { offer: Offer }) {
  const accountId = useAtomValue(accountIdAtom);
  const [recurrence, setRecurrence] = useState<Recurrence>("yearly");
  const [coupon, setCoupon] = useState("");
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <header className="pricing-head">
        <div>
          <h1>{t("billing.pricing_title")}</h1>
          <p>{t("billing.pricing_intro")}</p>
        </div>
        <RecurrenceChoice value={recurrence} onValue={setRecurrence} />
      </header>
      {!offer.settings && <p className="pricing-notice">{t("billing.prices_failed")}</p>}
      <PlanTable
        rows={listLimitRows(offer.settings?.storageBytes)}
        words={tableWords()}
        highlightedPlan="PLUS"
        hint={t("billing.pricing_hint")}
        renderHead={(plan) => (
          <PlanPrice plan={plan} offer={offer} recurrence={recurrence} coupon={coupon} onProblem={setProblem} />
        )}
      />
      {offer.settings && accountId !== undefined && <Coupon value={coupon} onValue={setCoupon} problem={problem} />}
      {problem !== undefined && coupon === "" && (
        <p className="pricing-problem" role="alert">
          {problem}
        </p>
      )}
      <FreePlan text={(word, params) => t(`billing.${word}`, params)} />
      <PlanNotes names={["limit", "stop", "failed"]} text={(word) => t(`billing.${word}`)} />
    </>
  );
}

interface CouponProps {
  value: string;
  onValue: (value: string) => void;
  problem: string | undefined;
}

function Coupon({ value, onValue, problem }: CouponProps) {
  const [isShown, setShown] = useState(false);
  if (!isShown)
    return (
      <p className="pricing-coupon">
        <Button variant="quiet" onClick={() => setShown(true)}>
          {t("billing.coupon_show")}
        </Button>
      </p>
    );
  return (
    <div className="pricing-coupon">
      <TextField
        label={t("billing.coupon")}
        hint={t("billing.coupon_hint")}
        error={value === "" ? undefined : problem}
        value={value}
        maxLength={100}
        autoComplete="off"
        autoFocus
        onChange={(event) => onValue(event.target.value)}
      />
    </div>
  );
}
