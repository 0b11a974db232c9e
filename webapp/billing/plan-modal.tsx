import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { shownPlans } from "#shared/billing/limit-rows.ts";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { limitMessageAtom } from "#webapp/app/overlays.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { PaymentsNotSet } from "./parts/payments-not-set.tsx";
import { listLimitRows } from "./plan-limits.ts";
import { loadOffer, offerAtom } from "./state.ts";
import "./plan-modal.css";

/** Opened by every limit that is reached: which one it was, what the other plans allow, and the way there. */
export function PlanModal({ onClose }: { onClose: () => void }) {
  const user = useAtomValue(userAtom);
  const offer = useAtomValue(offerAtom);
  const message = useAtomValue(limitMessageAtom);
  const accountId = useAtomValue(accountIdAtom);
  const now = useNow();
  const currentPlan = effectivePlan(user?.plan, now);
  useEffect(() => void loadOffer(accountId), [accountId]);
  const canUpgrade = offer?.isConfigured === true && currentPlan !== "ULTIMATE";
  return (
    <Dialog
      open
      title={t("overlays.plan_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      footer={
        canUpgrade && (
          <Link className="button button-primary" to={screenPath("pricing", {})} onClick={onClose}>
            {t("billing.see_plans")}
          </Link>
        )
      }
    >
      <div className="plan-modal">
        {message !== null && (
          <p className="plan-modal-message" role="status">
            {message}
          </p>
        )}
        <table>
          <thead>
            <tr>
              <td />
              {shownPlans.map((plan) => (
                <th key={plan} scope="col">
                  {t(`user.plan_${plan}`)} {plan === currentPlan && <Chip tone="good">{t("overlays.plan_yours")}</Chip>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listLimitRows(offer?.storageBytes).map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {shownPlans.map((plan) => (
                  <td key={plan}>{values[plan]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p>{t("overlays.plan_reset", { time: formatTimeToReset(now) })}</p>
        {offer && !offer.isFallback && !offer.isConfigured && <PaymentsNotSet />}
      </div>
    </Dialog>
  );
}
