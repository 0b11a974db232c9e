import { Link, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, livePagesAtom, loadContent } from "#webapp/library/content.ts";
import { loadDue } from "../due.ts";
import { hasSampleAtom } from "#webapp/user/sample-ids.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { syncStatusAtom } from "#webapp/offline/sync-status.ts";
import { NewPageButton } from "#webapp/ui/sidebar/new-page-button.tsx";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { uploadToNewPages, UploadMenu } from "#webapp/uploads/parts/upload-menu.tsx";
import { ContinueRow, RecentPages } from "../parts/recent-pages.tsx";
import { DueToday } from "../parts/due-today.tsx";
import { StreakLine } from "../parts/streak-line.tsx";
import { loadStreak } from "./home-state.ts";
import { usePrefetchDue } from "../offline/use-prefetch-due.ts";
import "./home-screen.css";

/** Loaded on demand, so that they do not delay the first screen. */
const StatisticsView = lazy(async () => ({
  default: (await import("../numbers/statistics-view.tsx")).StatisticsView,
}));
const SampleLine = lazy(async () => ({ default: (await import("#webapp/ui/sample-notice.tsx")).SampleNotice }));
const HomePlans = lazy(async () => ({ default: (await import("../exam/home-plans.tsx")).ExamPlans }));

export function HomeScreen() {
  const { show }: { show?: unknown } = useSearch({ strict: false });
  const user = useAtomValue(userAtom);
  const content = useAtomValue(contentAtom);
  const pages = useAtomValue(livePagesAtom);
  const accountId = user?._id;
  usePrefetchDue();
  const isSaving = useAtomValue(syncStatusAtom).state === "saving";
  // Reload when the sync finishes, so that pending reviews are counted.
  useEffect(() => {
    if (accountId === undefined || isSaving) return;
    void loadStreak();
    void loadDue();
  }, [accountId, isSaving]);
  if (show === "statistics")
    return (
      <Suspense fallback={<Skeleton label={t("common.loading")} lines={[40, 90, 76]} height={18} />}>
        <StatisticsView />
      </Suspense>
    );
  return (
    <div className="home">
      <header className="home-head">
        <h1>{user ? t("home.greeting", { name: user.name }) : t("home.greeting_plain")}</h1>
        {pages.length > 0 && (
          <div className="home-make">
            <UploadMenu />
            <NewPageButton variant="secondary" />
          </div>
        )}
      </header>
      <UploadList />
      <DropAnywhere onFiles={uploadToNewPages} />
      {content.state === "loading" && <Skeleton label={t("common.loading")} lines={[40, 90, 76, 82]} height={18} />}
      {content.state === "failed" && (
        <ErrorState
          title={t("home.failed_title")}
          action={<Button onClick={() => void loadContent()}>{t("common.retry")}</Button>}
        >
          {t("home.failed_text")}
        </ErrorState>
      )}
      {content.state === "ready" && <HomeContent />}
    </div>
  );
}

function HomeContent() {
  const [latest, ...others] = useAtomValue(livePagesAtom);
  const hasSample = useAtomValue(hasSampleAtom);
  if (!latest)
    return (
      <EmptyState
        title={t("home.empty_title")}
        action={
          <>
            <NewPageButton variant="primary" />
            <UploadMenu />
          </>
        }
      >
        {t("home.empty_text")}
      </EmptyState>
    );
  return (
    <>
      <section className="home-due">
        <DueToday />
        <StreakLine />
        <p>
          <Link to="/home" search={{ show: "statistics" }}>
            {t("home.statistics")}
          </Link>
        </p>
      </section>
      <Suspense>
        <HomePlans />
      </Suspense>
      <ContinueRow page={latest} />
      {others.length > 0 && <RecentPages pages={others} />}
      <Suspense>{hasSample && <SampleLine />}</Suspense>
    </>
  );
}
