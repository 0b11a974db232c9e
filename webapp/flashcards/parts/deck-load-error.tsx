import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";

export function DeckLoadError({ onRetry }: { onRetry: () => void }) {
  return (
    <ErrorState
      headingLevel={1}
      title={t("study.failed_title")}
      action={<Button onClick={onRetry}>{t("common.retry")}</Button>}
    >
      {t("flashcards.deck_failed")}
    </ErrorState>
  );
}
