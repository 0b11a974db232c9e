import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import type { OperatorContact } from "#shared/billing/schema.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { shownPlans } from "#shared/billing/limit-rows.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { User } from "#shared/user/schema.ts";
import { ButtonLink } from "#shared/ui/controls/button.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { closeOverlay } from "#webapp/app/overlays.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import "./plan-contact-notice.css";

const HIGHEST_PLAN = shownPlans.at(-1);

/** For a server that sells no plans: how the user gets another plan, from the operator or as an administrator. */
export function PlanContactNotice({ operator }: { operator: OperatorContact }) {
  const user = useAtomValue(userAtom);
  if (!user) return null;
  return (
    <div className="plan-contact-notice">
      {user.isAdmin ? (
        <AdminInstructions email={user.email} />
      ) : (
        <StudentInstructions user={user} operator={operator} />
      )}
    </div>
  );
}

function AdminInstructions({ email }: { email: string }) {
  return (
    <>
      <p>
        <b>{t("billing.admin_decides")}</b> {t("billing.admin_decides_text")}
      </p>
      <p>
        <Link className="button button-secondary" to={screenPath("adminUser", {})} onClick={closeOverlay}>
          {t("billing.operator_accounts")}
        </Link>
      </p>
      <p>{t("billing.operator_command")}</p>
      <code>npm run plan -- {email} PLUS 2027-06-30</code>
    </>
  );
}

function StudentInstructions({ user, operator: { name, email } }: { user: User; operator: OperatorContact }) {
  const now = useNow();
  const plan = effectivePlan(user.plan, now);
  if (plan === HIGHEST_PLAN) return <p>{t("billing.have_highest", { plan: t(`user.plan_${plan}`) })}</p>;
  return (
    <div className="plan-contact-notice-ask">
      <p>{name === null ? t("billing.ask_operator") : t("billing.ask_operator_name", { name })}</p>
      {email !== null && (
        <ButtonLink href={`mailto:${email}?subject=${encodeURIComponent(t("billing.ask_subject"))}`}>
          {t("billing.ask_write", { email })}
        </ButtonLink>
      )}
    </div>
  );
}
