import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import type { Recurrence } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useSession } from "#webapp/app/session/use-session.ts";
import { FreePlan } from "./parts/free-plan.tsx";
import { PaymentsNotSet } from "./parts/payments-not-set.tsx";
import { PlanPrice } from "./parts/plan-price.tsx";
import { PlanTable } from "./parts/plan-table.tsx";
import { listLimitRows } from "./plan-limits.ts";
import { loadOffer, offerAtom } from "./state.ts";
import "./pricing-screen.css";

const notes = ["limit", "stop", "failed"] as const;

export function PricingScreen() {
  useSession();
  const offer = useAtomValue(offerAtom);
  const accountId = useAtomValue(accountIdAtom);
  const [recurrence, setRecurrence] = useState<Recurrence>("yearly");
  const [coupon, setCoupon] = useState("");
  const [problem, setProblem] = useState<string>();
  // An account may have a currency of its own: without one, the time zone decides.
  useEffect(() => void loadOffer(accountId), [accountId]);
  return (
    <div className="pricing">
      <header className="pricing-head">
        <div>
          <h1>{t("billing.pricing_title")}</h1>
          <p>{t("billing.pricing_intro")}</p>
        </div>
        <Segmented
          label={t("billing.recurrence")}
          value={recurrence}
          onValue={setRecurrence}
          options={[
            { value: "monthly", label: t("billing.monthly") },
            { value: "yearly", label: t("billing.yearly") },
          ]}
        />
      </header>
      {offer?.isFallback && <p className="pricing-notice">{t("billing.prices_failed")}</p>}
      {offer && !offer.isFallback && !offer.isConfigured && <PaymentsNotSet />}
      <PlanTable
        rows={listLimitRows(offer?.storageBytes)}
        words={{
          compare: t("billing.compare"),
          limit: t("billing.limit"),
          row_all: t("billing.row_all"),
          included: t("billing.included"),
          plans: { FREE: t("user.plan_FREE"), PLUS: t("user.plan_PLUS"), ULTIMATE: t("user.plan_ULTIMATE") },
        }}
        hint={t("billing.pricing_hint")}
        renderHead={(plan) => (
          <PlanPrice plan={plan} offer={offer} recurrence={recurrence} coupon={coupon} onProblem={setProblem} />
        )}
      />
      {offer?.isConfigured && accountId !== undefined && (
        <Coupon value={coupon} onValue={setCoupon} problem={problem} />
      )}
      {problem !== undefined && coupon === "" && (
        <p className="pricing-problem" role="alert">
          {problem}
        </p>
      )}
      <FreePlan text={(word, params) => t(`billing.${word}`, params)} />
      <Notes />
    </div>
  );
}

const Notes = () => (
  <section className="pricing-notes">
    {notes.map((note) => (
      <p key={note}>
        <b>{t(`billing.note_${note}_title`)}</b>
        {t(`billing.note_${note}`)}
      </p>
    ))}
  </section>
);

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
