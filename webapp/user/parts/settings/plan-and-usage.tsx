import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { isUnlimited, limitsOf, formatTimeToReset, uploadStatus, type DailyLimit } from "#shared/billing/rules.ts";
import { t, translateReason } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Meter } from "#shared/ui/meter.tsx";
import { isPlanPaused, effectivePlan } from "#shared/billing/effective-plan.ts";
import type { Usage, User } from "#shared/user/schema.ts";
import { loadUsage, todaysUsage, usageAtom } from "../../usage.ts";
import { StorageUsageRow } from "./storage-usage.tsx";
import "#webapp/uploads/add-upload-reasons.ts";
import { formatResetTime } from "#webapp/app/format/format-reset.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";

export function PlanAndUsage({ user }: { user: User }) {
  const usage = useAtomValue(usageAtom);
  const now = useNow();
  const { plan } = user;
  useEffect(() => {
    void loadUsage();
  }, []);
  const isPaused = isPlanPaused(plan, now);
  const isExpired = !isPaused && effectivePlan(plan, now) !== plan.type;
  const limits = limitsOf(plan, now);
  return (
    <>
      <div className="settings-line">
        <p className="settings-plan">
          <strong>{t(`user.plan_${plan.type}`)}</strong>
          {isPaused && <Chip>{t("user.plan_paused")}</Chip>}
        </p>
        <Link className="button button-secondary" to={screenPath("billing", {})}>
          {t("user.to_billing")}
        </Link>
      </div>
      {isExpired && <p>{t("user.plan_ended", { plan: t(`user.plan_${plan.type}`) })}</p>}
      <h3>{t("user.usage")}</h3>
      <dl className="settings-usage">
        <UsageRow
          label={t("user.cards_studied")}
          name="studyCards"
          limit={limits.studyCards}
          used={usage?.totalCardsStudied}
        />
        <UsageRow
          label={t("user.uploads")}
          name="fileUploads"
          limit={limits.fileUploads}
          used={usage?.fileUploads}
          statusText={translateReason(uploadStatus(plan, todaysUsage(usage, now), now))}
        />
        <StorageUsageRow />
        <dt>{t("user.file_size")}</dt>
        <dd>{t("user.file_size_mb", { size: limits.fileSizeMb })}</dd>
        <dt>{t("user.pages_per_pdf")}</dt>
        <dd>{limits.pdfToFlashcardsPages}</dd>
      </dl>
      <p className="settings-note">
        {t("user.usage_resets", { time: formatTimeToReset(now), clock: formatResetTime(now) })}
      </p>
    </>
  );
}

interface UsageRowProps {
  label: string;
  name: DailyLimit;
  limit: number;
  /** Undefined while loading or if loading failed. */
  used: Usage["totalCardsStudied"] | undefined;
  /** Replaces the figures where the specification prescribes the text. */
  statusText?: string;
}

function UsageRow({ label, name, limit, used, statusText }: UsageRowProps) {
  const hasNoLimit = isUnlimited(name, limit);
  const text =
    used === undefined
      ? "–"
      : hasNoLimit
        ? t("user.usage_unlimited", { used })
        : t("user.usage_of", { used: Math.min(used, limit), limit });
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {used === undefined ? text : (statusText ?? text)}
        {!hasNoLimit && used !== undefined && <Meter label={label} value={used} max={limit} valueText={text} />}
      </dd>
    </>
  );
}
