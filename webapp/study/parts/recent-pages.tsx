import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Page } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";

/** Loaded after the list, so that thumbnails do not delay the first screen. */
const PageThumbnail = lazy(async () => ({ default: (await import("./page-thumbnail.tsx")).PageThumbnail }));

const Thumbnail = ({ page }: { page: Page }) => (
  <Suspense fallback={<span className="home-thumbnail" data-empty="true" />}>
    <PageThumbnail page={page} />
  </Suspense>
);

const RECENT_SHOWN = 8;

export function ContinueRow({ page }: { page: Page }) {
  const now = useNow();
  return (
    <section>
      <h2>{t("home.continue")}</h2>
      <Link className="home-continue" to={screenPath("page", { id: page._id })}>
        <Thumbnail page={page} />
        <span className="home-continue-text">
          <span className="home-continue-title">{displayTitle(page)}</span>
          <span className="home-when">{describeLastChange(page, now)}</span>
        </span>
      </Link>
    </section>
  );
}

export function RecentPages({ pages }: { pages: readonly Page[] }) {
  const now = useNow();
  return (
    <section>
      <h2>
        {t("home.recent")}
        <Link className="home-all" to={screenPath("content", {})}>
          {t("home.all_content")}
        </Link>
      </h2>
      <ul role="list" className="home-list">
        {pages.slice(0, RECENT_SHOWN).map((page) => (
          <li key={page._id}>
            <Link className="home-page" to={screenPath("page", { id: page._id })}>
              <Thumbnail page={page} />
              <span className="home-page-title">{page.title || t("common.untitled")}</span>
              <span className="home-when">{describeLastChange(page, now)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const displayTitle = (page: Page) => [page.emoji, page.title || t("common.untitled")].filter(Boolean).join(" ");

function describeLastChange({ lastOpened, lastUpdated }: Page, now: number): string {
  return lastOpened !== null && lastOpened > lastUpdated
    ? t("home.opened", { when: formatRelativeDate(lastOpened, now) })
    : t("home.edited", { when: formatRelativeDate(lastUpdated, now) });
}
