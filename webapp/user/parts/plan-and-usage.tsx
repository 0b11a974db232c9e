import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { isUnlimited, limitsOf, timeToReset, uploadStatus, type DailyLimit } from "#shared/billing/rules.ts";
import { t, translateReason } from "#shared/messages/translate.ts";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Meter } from "#shared/ui/meter.tsx";
import { isPlanPaused, planInForce } from "#shared/user/rules.ts";
import type { Usage, User } from "#shared/user/schema.ts";
import { loadUsage, ofToday, usageAtom } from "../usage.ts";
import "#webapp/uploads/upload-reasons.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";

export function PlanAndUsage({ user }: { user: User }) {
  const usage = useAtomValue(usageAtom);
  const now = useNow();
  const { plan } = user;
  useEffect(() => {
    void loadUsage();
  }, []);
  const isPaused = isPlanPaused(plan, now);
  const hasEnded = !isPaused && planInForce(plan, now) !== plan.type;
  const limits = limitsOf(plan, now);
  return (
    <>
      <p className="settings-plan">
        <strong>{t(`user.plan_${plan.type}`)}</strong>
        {isPaused && <Chip>{t("user.plan_paused")}</Chip>}
      </p>
      {hasEnded && <p>{t("user.plan_ended", { plan: t(`user.plan_${plan.type}`) })}</p>}
      <h3>{t("user.usage")}</h3>
      <dl className="settings-usage">
        <Used
          label={t("user.cards_studied")}
          name="studyCards"
          limit={limits.studyCards}
          used={usage?.totalCardsStudied}
        />
        <Used
          label={t("user.uploads")}
          name="fileUploads"
          limit={limits.fileUploads}
          used={usage?.fileUploads}
          said={translateReason(uploadStatus(plan, ofToday(usage, now), now))}
        />
        <dt>{t("user.file_size")}</dt>
        <dd>{t("user.file_size_mb", { size: limits.fileSizeMb })}</dd>
        <dt>{t("user.pages_per_pdf")}</dt>
        <dd>{limits.pdfToFlashcardsPages}</dd>
      </dl>
      <p className="settings-note">{t("user.usage_resets", { time: timeToReset(now) })}</p>
    </>
  );
}

interface UsedProps {
  label: string;
  name: DailyLimit;
  limit: number;
  /** Undefined while loading or if loading failed. */
  used: Usage["totalCardsStudied"] | undefined;
  /** Replaces the figures where the specification prescribes the text. */
  said?: string;
}

function Used({ label, name, limit, used, said }: UsedProps) {
  const isFree = isUnlimited(name, limit);
  const text =
    used === undefined
      ? "–"
      : isFree
        ? t("user.usage_unlimited", { used })
        : t("user.usage_of", { used: Math.min(used, limit), limit });
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {used === undefined ? text : (said ?? text)}
        {!isFree && used !== undefined && <Meter label={label} value={used} max={limit} valueText={text} />}
      </dd>
    </>
  );
}
