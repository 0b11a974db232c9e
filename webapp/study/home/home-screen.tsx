import { useSearch } from "@tanstack/react-router";
import { Headphones } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { lazy, Suspense, useEffect } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { Page } from "#shared/pages/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { contentAtom, livePagesAtom, loadContent } from "#webapp/library/content.ts";
import { loadDue } from "../due.ts";
import { getSamplePageIds, hasSampleAtom } from "#webapp/user/sample-ids.ts";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { syncStatusAtom } from "#webapp/offline/sync-status.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { NewPageButton } from "#webapp/ui/sidebar/new-page-button.tsx";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { uploadToNewPages, UploadMenu } from "#webapp/uploads/parts/upload-menu.tsx";
import { ContinueRow, RecentPages } from "../parts/recent-pages.tsx";
import { loadStreak } from "./home-state.ts";
import { Today } from "./today.tsx";
import { usePrefetchDue } from "../offline/use-prefetch-due.ts";
import "./home-screen.css";

/** Loaded on demand, so that they do not delay the first screen. */
const StatisticsView = lazy(async () => ({
  default: (await import("../numbers/statistics-view.tsx")).StatisticsView,
}));
const RecentResearch = lazy(async () => ({
  default: (await import("../parts/recent-research.tsx")).RecentResearch,
}));
const SampleLine = lazy(async () => ({ default: (await import("#webapp/ui/sample-notice.tsx")).SampleNotice }));

const todayFormat = new Intl.DateTimeFormat(documentLanguage(), { weekday: "long", day: "numeric", month: "long" });

export function HomeScreen() {
  const { show }: { show?: unknown } = useSearch({ strict: false });
  const user = useAtomValue(userAtom);
  const now = useNow();
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
        <div>
          <p className="home-date">{todayFormat.format(now)}</p>
          <h1>{user ? t("home.greeting", { name: user.name }) : t("home.greeting_plain")}</h1>
        </div>
        {pages.length > 0 && (
          <div className="home-make">
            <UploadMenu />
            <NewPageButton variant="secondary" />
            <Button variant="quiet" icon={<Headphones aria-hidden />} onClick={() => openPodcastDialog([])}>
              {t("home.make_podcast")}
            </Button>
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

/** The sample pages come after the student's own pages. */
function sortOwnPagesFirst(pages: readonly Page[], accountId: string): Page[] {
  const samples = new Set<string>(Object.values(getSamplePageIds(accountId)));
  return pages.toSorted((a, b) => Number(samples.has(a._id)) - Number(samples.has(b._id)));
}

function HomeContent() {
  const pages = useAtomValue(livePagesAtom);
  const accountId = useAtomValue(accountIdAtom);
  const [latest, ...otherPages] = sortOwnPagesFirst(pages, accountId ?? "");
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
      <Today />
      <div className="home-pages">
        <ContinueRow page={latest} />
        {otherPages.length > 0 && <RecentPages pages={otherPages} />}
      </div>
      <Suspense>
        <RecentResearch />
      </Suspense>
      <Suspense>{hasSample && <SampleLine />}</Suspense>
    </>
  );
}
