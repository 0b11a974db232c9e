import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import type { ModeProps } from "./study-mode.ts";

/** Shown when the chosen bucket is empty: says what would fill it and offers all cards instead. */
export function EmptyBucketState({
  bucket,
  cards,
  studyAllCards,
}: Pick<ModeProps, "bucket" | "cards" | "studyAllCards">) {
  const action = cards.length > 0 && (
    <Button variant="primary" onClick={studyAllCards}>
      {t("modes.study_all", { count: cards.length })}
    </Button>
  );
  return (
    <EmptyState headingLevel={1} title={t(`modes.none_${bucket}_title`)} {...(action && { action })}>
      {t(`modes.none_${bucket}_text`)}
    </EmptyState>
  );
}
