import { Link } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { ErrorState } from "#shared/ui/empty-state.tsx";

/** Shown for a deck that was deleted, and also for a deck of another account, so that its existence is not revealed. */
export function DeckMissing() {
  return (
    <ErrorState headingLevel={1} title={t("study.missing_title")} action={<Link to="/home">{t("study.to_home")}</Link>}>
      {t("study.missing_text")}
    </ErrorState>
  );
}
