import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { type LimitRow, type ShownPlan, shownPlans } from "#shared/billing/limit-rows.ts";
import "./plan-table.css";

interface Props {
  rows: readonly LimitRow[];
  words: {
    /** Name of the table. */
    compare: string;
    /** Heading of the first column if there is no hint. */
    limit: string;
    /** Label of the row for features that every plan includes. */
    row_all: string;
    included: string;
    plans: Readonly<Record<ShownPlan, string>>;
  };
  /** The plan whose column is highlighted, if any. */
  highlightedPlan: ShownPlan | undefined;
  /** Renders the plan's price and button below its name. */
  renderHead: (plan: ShownPlan) => ReactNode;
  hint?: ReactNode;
}

/**
 * The plans and their limits. The roles are explicit, because on a small screen the rows become grids, and browsers
 * would then drop the implicit roles.
 */
export function PlanTable({ rows, words, highlightedPlan, renderHead, hint }: Props) {
  const classOf = (plan: ShownPlan) => (plan === highlightedPlan ? "plan-table-marked" : undefined);
  return (
    <div className="plan-table-frame">
      <table className="plan-table" role="table" aria-label={words.compare}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col" className="plan-table-hint">
              {hint ?? <span className="visually-hidden">{words.limit}</span>}
            </th>
            {shownPlans.map((plan) => (
              <th key={plan} role="columnheader" scope="col" className={classOf(plan)}>
                <span className="plan-table-name">{words.plans[plan]}</span>
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
                <td key={plan} role="cell" className={classOf(plan)}>
                  {plan === "ULTIMATE" && values.ULTIMATE !== values.PLUS ? <b>{values[plan]}</b> : values[plan]}
                </td>
              ))}
            </tr>
          ))}
          <tr role="row">
            <th role="rowheader" scope="row">
              {words.row_all}
            </th>
            {shownPlans.map((plan) => (
              <td key={plan} role="cell" className={classOf(plan)}>
                <span className="plan-table-included">
                  <Check aria-hidden /> {words.included}
                </span>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
