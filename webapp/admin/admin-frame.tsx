import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { type MessageKey, t } from "#shared/messages/translate.ts";
import { screenPath, type ScreenName } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import "./admin-frame.css";

/** The message key of each admin screen's heading. */
const tabTitles = {
  admin: "admin.overview",
  adminUser: "admin.accounts",
  adminFeedback: "admin.feedback",
  adminFileUser: "figures.model_use",
  adminStats: "figures.stats",
  adminCompletion: "figures.ratings",
  adminFlashcards: "lists.generations",
  adminConversations: "lists.conversations",
  adminTiming: "lists.timing",
  adminCancellation: "lists.cancellations",
  adminDemographics: "lists.demographics",
  adminBlog: "posts.posts",
} as const satisfies Partial<Record<ScreenName, MessageKey>>;
type Tab = keyof typeof tabTitles;

/** The groups of tabs in the navigation; each tab is in one group. */
const tabGroups = [
  { title: "admin.group_instance", tabs: ["admin", "adminUser", "adminFeedback", "adminFileUser"] },
  { title: "admin.group_quality", tabs: ["adminStats", "adminCompletion", "adminFlashcards", "adminConversations"] },
  { title: "admin.group_people", tabs: ["adminTiming", "adminCancellation", "adminDemographics"] },
  { title: "admin.group_site", tabs: ["adminBlog"] },
] as const satisfies readonly { title: MessageKey; tabs: readonly Tab[] }[];

interface Props {
  tab: Tab;
  /** Replaces the tab's title. */
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** Heading and navigation of the admin screens. Users who are not administrators see only an explanation. */
export function AdminFrame({ tab, title, actions, children }: Props) {
  const user = useAtomValue(userAtom);
  if (!user) return <Skeleton label={t("common.loading")} lines={[40, 100, 100]} height={24} />;
  if (!user.isAdmin)
    return (
      <EmptyState title={t("admin.only_admins_title")} headingLevel={1}>
        {t("admin.only_admins_text")}
      </EmptyState>
    );
  return (
    <div className="admin">
      <AdminNav tab={tab} />
      <div className="admin-body">
        <header className="admin-header">
          <h1>{title ?? t(tabTitles[tab])}</h1>
          {actions}
        </header>
        {children}
        {tab !== "adminBlog" && <p className="admin-privacy">{t("admin.privacy")}</p>}
      </div>
    </div>
  );
}

/** On a wide screen, a column of groups. On a narrow screen, a row that starts scrolled to the current tab. */
function AdminNav({ tab }: { tab: Tab }) {
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft;
  }, []);
  return (
    <nav ref={nav} className="admin-nav" aria-label={t("admin.nav")}>
      {tabGroups.map(({ title, tabs }) => (
        <div key={title} className="admin-nav-group" role="group" aria-label={t(title)}>
          <p className="admin-nav-title" aria-hidden>
            {t(title)}
          </p>
          {tabs.map((name) => (
            <Link
              key={name}
              className="admin-tab"
              to={screenPath(name, {})}
              activeOptions={{ exact: true }}
              {...(name === tab && { "aria-current": "page" as const })}
            >
              {t(tabTitles[name])}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Shown in place of content that could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOffline = error instanceof NoResponseError;
  useRetryOnline(isOffline, onRetry);
  return (
    <ErrorState
      title={t(isOffline ? "admin.offline_title" : "admin.failed_title")}
      action={<Button onClick={onRetry}>{t("common.retry")}</Button>}
    >
      {isOffline ? t("admin.offline_text") : (toFailureMessage(error)?.message ?? t("failures.other"))}
    </ErrorState>
  );
}

function useRetryOnline(isOffline: boolean, onRetry: () => void): void {
  useEffect(() => {
    if (!isOffline) return undefined;
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [isOffline, onRetry]);
}

/** The text once it has not changed for `pauseMs`, so that a search does not start at every keystroke. */
export function useDebounced(text: string, pauseMs = 250): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return debounced;
}
