import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { listLimitRows, type ShownPlan, shownPlans } from "../plan-limits.ts";
import "./plan-table.css";

interface Props {
  storageBytes: Readonly<Record<ShownPlan, number>> | undefined;
  /** Below the plan's name: its price and what to do about it. */
  renderHead: (plan: ShownPlan) => ReactNode;
  hint?: ReactNode;
}

/**
 * The plans and their limits. On a small screen the rows become grids, which would take the table's meaning from it, so
 * every role is stated.
 */
export function PlanTable({ storageBytes, renderHead, hint }: Props) {
  const rows = listLimitRows(storageBytes);
  return (
    <table className="plan-table" role="table" aria-label={t("billing.compare")}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className="plan-table-hint">
            {hint ?? <span className="visually-hidden">{t("billing.limit")}</span>}
          </th>
          {shownPlans.map((plan) => (
            <th
              key={plan}
              role="columnheader"
              scope="col"
              className={plan === "PLUS" ? "plan-table-middle" : undefined}
            >
              <span className="plan-table-name">{t(`user.plan_${plan}`)}</span>
              {renderHead(plan)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(({ label, values }) => (
          <tr key={label} role="row">
            <th role="rowheader" scope="row">
              {label}
            </th>
            {shownPlans.map((plan) => (
              <td key={plan} role="cell" className={plan === "PLUS" ? "plan-table-middle" : undefined}>
                {plan === "ULTIMATE" && values.ULTIMATE !== values.PLUS ? <b>{values[plan]}</b> : values[plan]}
              </td>
            ))}
          </tr>
        ))}
        <tr role="row">
          <th role="rowheader" scope="row">
            {t("billing.row_all")}
          </th>
          {shownPlans.map((plan) => (
            <td key={plan} role="cell" className={plan === "PLUS" ? "plan-table-middle" : undefined}>
              <span className="plan-table-included">
                <Check aria-hidden /> {t("billing.included")}
              </span>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
