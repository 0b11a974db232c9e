import { useAtomValue } from "jotai/react";
import { isUnlimited, planLimits, formatTimeToReset, type LimitName } from "#shared/billing/rules.ts";
import { t } from "#shared/messages/translate.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { effectivePlan } from "#shared/user/rules.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import "./plan-modal.css";

const plans = ["FREE", "PLUS", "ULTIMATE"] as const;

/** Limits of available features: podcasts have a limit in every plan but do not exist yet. */
const rows = [
  ["assistantMessages", "manners.plan_assistant"],
  ["researchMessages", "manners.plan_research"],
  ["studyCards", "manners.plan_cards"],
  ["fileUploads", "manners.plan_uploads"],
  ["fileSizeMb", "manners.plan_size"],
  ["pdfToFlashcardsPages", "manners.plan_pages"],
  ["autocompleteWords", "manners.plan_autocomplete"],
] as const satisfies readonly (readonly [LimitName, string])[];

function formatLimit(name: LimitName, limit: number): string {
  if (isUnlimited(name, limit)) return t("manners.plan_unlimited");
  return name === "fileSizeMb" ? t("user.file_size_mb", { size: limit }) : String(limit);
}

/** The limits of each plan, with the current one marked. */
export function PlanModal({ onClose }: { onClose: () => void }) {
  const user = useAtomValue(userAtom);
  const now = useNow();
  const currentPlan = effectivePlan(user?.plan, now);
  return (
    <Dialog open title={t("manners.plan_title")} onClose={onClose} closeLabel={t("common.close")}>
      <div className="plan-modal">
        <table>
          <thead>
            <tr>
              <td />
              {plans.map((plan) => (
                <th key={plan} scope="col">
                  {t(`user.plan_${plan}`)} {plan === currentPlan && <Chip tone="good">{t("manners.plan_yours")}</Chip>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, label]) => (
              <tr key={name}>
                <th scope="row">{t(label)}</th>
                {plans.map((plan) => (
                  <td key={plan}>{formatLimit(name, planLimits[plan][name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p>{t("manners.plan_reset", { time: formatTimeToReset(now) })}</p>
        <p>{t("manners.plan_unset")}</p>
      </div>
    </Dialog>
  );
}
