import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { shownPlans } from "#shared/billing/limit-rows.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import type { PaymentSettings, Recurrence } from "#shared/billing/schema.ts";
import { formatNumber, t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Meter } from "#shared/ui/meter.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import type { PlanType } from "#shared/user/schema.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { reachedLimitAtom } from "#webapp/app/overlays.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { RecurrenceChoice } from "./parts/recurrence-choice.tsx";
import { PlanPrice } from "./parts/plan-price.tsx";
import { PlanContactNotice } from "./parts/plan-contact-notice.tsx";
import { findPlanLimit, type PlanLimit } from "./plan-limits.ts";
import { loadOffer, type Offer, offerAtom } from "./state.ts";
import "./plan-modal.css";

/** Opened when a limit is reached: names the limit, and what the other plans allow and cost, with a link to them. */
export function PlanModal({ onClose }: { onClose: () => void }) {
  const user = useAtomValue(userAtom);
  const offer = useAtomValue(offerAtom);
  const { message, name } = useAtomValue(reachedLimitAtom);
  const accountId = useAtomValue(accountIdAtom);
  const now = useNow();
  const plan = effectivePlan(user?.plan, now);
  const limit = findPlanLimit(name, plan);
  useEffect(() => void loadOffer(accountId), [accountId]);
  return (
    <Dialog
      open
      title={limit ? t("billing.limit_title", { limit: limit.label }) : t("overlays.plan_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        <Link className="button button-secondary" to={screenPath("pricing", {})} onClick={onClose}>
          {t("billing.see_plans")}
        </Link>
      }
    >
      <div className="plan-modal">
        {message !== null && (
          <p className="plan-modal-message" role="status">
            {message}
          </p>
        )}
        {limit ? (
          <ReachedLimit limit={limit} now={now} />
        ) : (
          <p>{t("overlays.plan_reset", { time: formatTimeToReset(now) })}</p>
        )}
        {offer ? (
          <Plans plan={plan} limit={limit} offer={offer} />
        ) : (
          <Skeleton label={t("common.loading")} lines={[100, 100]} height={48} />
        )}
      </div>
    </Dialog>
  );
}

function ReachedLimit({ limit, now }: { limit: PlanLimit; now: number }) {
  const { label, own, dailyLimit, better } = limit;
  const most = dailyLimit === undefined ? undefined : formatNumber(dailyLimit);
  const text =
    most === undefined ? t("billing.limit_own", { limit: own }) : t("billing.limit_used", { used: most, limit: most });
  return (
    <div className="plan-modal-limit">
      <p>
        <span>{text}</span>
        {dailyLimit !== undefined && <span>{t("billing.limit_resets", { time: formatTimeToReset(now) })}</span>}
      </p>
      {dailyLimit !== undefined && <Meter label={label} value={dailyLimit} max={dailyLimit} valueText={text} />}
      {better.length === 0 && <p className="plan-modal-note">{t("billing.limit_alike")}</p>}
    </div>
  );
}

const plansAbove = (plan: PlanType) => shownPlans.slice(plan === "ENTERPRISE" ? 1 : shownPlans.indexOf(plan) + 1);

interface PlansProps {
  plan: PlanType;
  limit: PlanLimit | undefined;
}

const Plans = ({ offer, ...rest }: PlansProps & { offer: Offer }) =>
  offer.settings?.isConfigured === false ? (
    <GrantedPlans {...rest} settings={offer.settings} />
  ) : (
    <PaidPlans {...rest} offer={offer} />
  );

/** For a server that sells no plans: what the higher plans allow, and how to get one. */
function GrantedPlans({ plan, limit, settings }: PlansProps & { settings: PaymentSettings }) {
  const above = plansAbove(plan);
  return (
    <>
      {limit && limit.better.length > 0 && (
        <dl className="plan-modal-given">
          {above.map((other) => (
            <div key={other}>
              <dt>{t(`user.plan_${other}`)}</dt>
              <dd>{limit.values[other]}</dd>
            </div>
          ))}
        </dl>
      )}
      <PlanContactNotice operator={settings.operator} />
    </>
  );
}

/** The plans above the account's own, each with its price and the button that starts the payment. */
function PaidPlans({ plan, limit, offer }: PlansProps & { offer: Offer }) {
  const [recurrence, setRecurrence] = useState<Recurrence>("yearly");
  const [problem, setProblem] = useState<string>();
  const paid = plansAbove(plan);
  if (paid.length === 0) return null;
  return (
    <section className="plan-modal-paid">
      <RecurrenceChoice value={recurrence} onValue={setRecurrence} />
      {!offer.settings && <p className="plan-modal-note">{t("billing.prices_failed")}</p>}
      <ul>
        {paid.map((other, index) => (
          <li key={other}>
            <h3>{t(`user.plan_${other}`)}</h3>
            {limit && (
              <p>
                {limit.label}: <b>{limit.values[other]}</b>
              </p>
            )}
            <PlanPrice
              plan={other}
              offer={offer}
              recurrence={recurrence}
              coupon=""
              onProblem={setProblem}
              isPrimary={index === 0 && limit?.better.length !== 0}
            />
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p className="plan-modal-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
