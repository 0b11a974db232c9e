import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { retryDocument, type OpenDocument } from "../state.ts";

type UnreadyDocument = Exclude<OpenDocument, { state: "paged" | "text" }>;

function PasswordForm({ open }: { open: Extract<UnreadyDocument, { state: "locked" }> }) {
  const [password, setPassword] = useState("");
  return (
    <EmptyState headingLevel={1} title={t("pdf.locked_title")}>
      <form
        className="pdf-password"
        onSubmit={(event) => {
          event.preventDefault();
          open.unlock(password);
        }}
      >
        <TextField
          label={t("pdf.password")}
          type="password"
          autoComplete="off"
          hint={t("pdf.locked")}
          error={open.isWrong ? t("pdf.locked_wrong") : undefined}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button variant="primary" type="submit">
          {t("pdf.unlock")}
        </Button>
      </form>
    </EmptyState>
  );
}

/** Loading, empty and error states of a document. */
export function DocumentStatus({ open }: { open: UnreadyDocument }) {
  const home = <ButtonLink href={screenPath("home", {})}>{t("pdf.to_home")}</ButtonLink>;
  const retry = <Button onClick={() => retryDocument(open.componentId)}>{t("common.retry")}</Button>;
  switch (open.state) {
    case "loading":
      return <Skeleton label={t("pdf.loading")} lines={[60, 100, 96, 98, 92, 100, 40]} height={18} />;
    case "locked":
      return <PasswordForm open={open} />;
    case "missing":
      return (
        <EmptyState headingLevel={1} title={t("pdf.missing_title")} action={home}>
          {t("pdf.missing")}
        </EmptyState>
      );
    case "empty":
      return (
        <EmptyState headingLevel={1} title={t("pdf.empty_title")} action={home}>
          {t("pdf.empty")}
        </EmptyState>
      );
    case "broken":
      return (
        <ErrorState headingLevel={1} title={t("pdf.broken_title")} action={home}>
          {t("pdf.broken")}
        </ErrorState>
      );
    case "slow":
    case "heavy":
      return (
        <ErrorState headingLevel={1} title={t(`pdf.${open.state}_title`)} action={home}>
          {t("pdf.slow")}
        </ErrorState>
      );
    case "offline":
      return (
        <EmptyState headingLevel={1} title={t("pdf.offline_title")} action={retry}>
          {t("pdf.offline")}
        </EmptyState>
      );
    case "failed":
      return (
        <ErrorState headingLevel={1} title={t("pdf.failed_title")} action={retry}>
          {t("pdf.failed")}
        </ErrorState>
      );
    default:
      return open satisfies never;
  }
}
