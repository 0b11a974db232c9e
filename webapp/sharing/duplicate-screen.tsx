import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { ShareType } from "#shared/sharing/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { copyAndOpen } from "./copy-shared.ts";

interface Props {
  type: ShareType;
  id: string;
  title: string;
}

function Duplicate({ type, id, title }: Props) {
  const [isCopying, setCopying] = useState(false);
  const copy = async () => {
    setCopying(true);
    await copyAndOpen(type, id);
    setCopying(false);
  };
  return (
    <EmptyState
      headingLevel={1}
      title={title}
      action={
        <Button variant="primary" size="l" pending={isCopying} onClick={() => void copy()}>
          {t(isCopying ? "sharing.copying" : "sharing.copy")}
        </Button>
      }
    >
      {t("sharing.copy_text")}
    </EmptyState>
  );
}

export function DuplicatePageScreen() {
  const { pageId } = useScreenParams("duplicatePage");
  return <Duplicate type="page" id={pageId} title={t("sharing.copy_page_title")} />;
}

export function DuplicatePdfScreen() {
  const { pdfId } = useScreenParams("duplicatePdf");
  return <Duplicate type="component_pdf" id={pdfId} title={t("sharing.copy_pdf_title")} />;
}
