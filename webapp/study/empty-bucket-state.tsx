import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import type { ModeProps } from "./study-mode.ts";

type Props = Pick<ModeProps, "bucket" | "cards" | "schedules" | "studyAllCards" | "studyNewCards">;

/**
 * Shown if the chosen bucket is empty. Explains what fills it, and offers all cards, or the new cards if none are due.
 */
export function EmptyBucketState({ bucket, cards, schedules, studyAllCards, studyNewCards }: Props) {
  const newCount = bucket === "due" ? cards.filter(({ id }) => !schedules.has(id)).length : 0;
  const action =
    newCount > 0 ? (
      <Button variant="primary" onClick={studyNewCards}>
        {t("modes.study_new", { count: newCount })}
      </Button>
    ) : (
      cards.length > 0 && (
        <Button variant="primary" onClick={studyAllCards}>
          {t("modes.study_all", { count: cards.length })}
        </Button>
      )
    );
  return (
    <EmptyState headingLevel={1} title={t(`modes.none_${bucket}_title`)} {...(action && { action })}>
      {t(newCount > 0 ? "modes.none_due_text_new" : `modes.none_${bucket}_text`)}
    </EmptyState>
  );
}
