import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Billing } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { CouponSection } from "./parts/coupon-section.tsx";
import { CancelOrPauseSection } from "./parts/leave-section.tsx";
import { Invoices } from "./parts/invoices.tsx";
import { PlanSummary } from "./parts/plan-summary.tsx";
import { UsageToday } from "./parts/usage-today.tsx";
import { awaitPayment, billingAtom, loadBilling, refreshBilling } from "./state.ts";
import "./billing-screen.css";

export function BillingScreen() {
  useSession();
  const user = useAtomValue(userAtom);
  const state = useAtomValue(billingAtom);
  const payment = usePaymentReturn();
  // The payment provider or the operator can also change the plan.
  const planKey = user && JSON.stringify(user.plan);
  useEffect(() => {
    if (planKey !== null) void loadBilling();
  }, [planKey]);
  return (
    <div className="billing">
      <div>
        <Link className="billing-back" to={screenPath("settings", {})}>
          <ArrowLeft aria-hidden /> {t("billing.to_settings")}
        </Link>
        <h1>{t("billing.title")}</h1>
      </div>
      <PaymentNotice payment={payment} />
      <BillingBody state={state} />
    </div>
  );
}

type PaymentCheck = "none" | "waiting" | "done" | "late";

/** Checks for a payment on the server, because the address only says that the student came from the payment page. */
function usePaymentReturn(): PaymentCheck {
  const { checkout } = useSearch({ strict: false });
  const user = useAtomValue(userAtom);
  const navigate = useNavigate();
  const [payment, setPayment] = useState<PaymentCheck>("none");
  const hasChecked = useRef(false);
  const cameFromCheckout = checkout === "done";
  const hasReturned = (cameFromCheckout || checkout === "back") && user !== null;
  useEffect(() => {
    if (!hasReturned || hasChecked.current) return;
    hasChecked.current = true;
    const check = async () => {
      if (cameFromCheckout) {
        setPayment("waiting");
        setPayment((await awaitPayment()) ? "done" : "late");
      } else await refreshBilling();
      await navigate({ to: screenPath("billing", {}), replace: true });
    };
    void check();
  }, [hasReturned, cameFromCheckout, navigate]);
  return payment;
}

function PaymentNotice({ payment }: { payment: PaymentCheck }) {
  const user = useAtomValue(userAtom);
  const texts: Record<PaymentCheck, string | undefined> = {
    none: undefined,
    waiting: t("billing.checkout_waiting"),
    done: user ? t("billing.checkout_done", { plan: t(`user.plan_${user.plan.type}`) }) : undefined,
    late: t("billing.checkout_late"),
  };
  return (
    <p className={texts[payment] === undefined ? "visually-hidden" : "billing-notice"} role="status">
      {texts[payment]}
    </p>
  );
}

function BillingBody({ state }: { state: ReturnType<typeof useBillingState> }) {
  switch (state.state) {
    case "loading":
      return <Skeleton label={t("common.loading")} lines={[60, 100, 80]} />;
    case "failed":
      return (
        <ErrorState
          title={t("billing.load_failed")}
          action={<Button onClick={() => void loadBilling()}>{t("common.retry")}</Button>}
        >
          {t("billing.load_failed_text")}
        </ErrorState>
      );
    case "ready":
      return <Sections billing={state.billing} />;
    default:
      return state satisfies never;
  }
}

const useBillingState = () => useAtomValue(billingAtom);

function Sections({ billing }: { billing: Billing }) {
  const { subscription, isConfigured, hasPortal, plan } = billing;
  const isRunning = subscription !== null && ["active", "trialing"].includes(subscription.status);
  return (
    <>
      <section>
        <h2 className="visually-hidden">{t("billing.plan_title")}</h2>
        <PlanSummary billing={billing} />
        {isConfigured && isRunning && !subscription.isEnding && <CouponSection currency={subscription.currency} />}
      </section>
      <section>
        <h2>{t("billing.usage_title")}</h2>
        <UsageToday plan={plan} />
      </section>
      {hasPortal && <Invoices />}
      {isRunning && !subscription.isEnding && <CancelOrPauseSection subscription={subscription} />}
    </>
  );
}
