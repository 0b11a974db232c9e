import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom } from "#webapp/library/content.ts";
import { logWarning } from "#webapp/app/log.ts";
import { useContent } from "#webapp/library/use-content.ts";
import { findBlankPage } from "#webapp/tutor/blank-page.ts";
import { PageWithTutor } from "./page-route.tsx";

/** The page of the canvas, created if necessary. Its id is in the address, so that a reload shows the same page. */
function useCanvasPage() {
  const navigate = useNavigate();
  const { page }: { page?: unknown } = useSearch({ strict: false });
  const pageId = typeof page === "string" ? page : undefined;
  const isKnown = useAtomValue(contentAtom).state !== "loading";
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (pageId !== undefined || !isKnown || hasFailed) return;
    findBlankPage()
      .then((id) => navigate({ href: `${screenPath("canvas", {})}?page=${id}`, replace: true }))
      .catch((error: unknown) => {
        logWarning("Could not create a page", error);
        setFailed(true);
      });
  }, [pageId, isKnown, hasFailed, navigate]);
  return { pageId, hasFailed, retry: () => setFailed(false) };
}

/**
 * A blank page that is written together with the tutor. It is saved like any other page from the first character on.
 */
export function CanvasRoute() {
  useContent();
  const { pageId, hasFailed, retry } = useCanvasPage();
  if (pageId !== undefined) return <PageWithTutor pageId={pageId} isCanvas />;
  return (
    <main id="content">
      {hasFailed ? (
        <ErrorState
          headingLevel={1}
          title={t("tutor.canvas_failed")}
          action={<Button onClick={retry}>{t("common.retry")}</Button>}
        >
          {t("failures.other")}
        </ErrorState>
      ) : (
        <Skeleton label={t("common.loading")} lines={[44, 100, 96]} height={18} />
      )}
    </main>
  );
}
