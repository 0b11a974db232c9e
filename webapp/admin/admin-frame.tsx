import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState, type ReactNode } from "react";
import { NoResponse } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { type MessageKey, t } from "#shared/messages/translate.ts";
import { screenPath, type ScreenName } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import "./admin-frame.css";

/** The admin screens in the order of the navigation, with the key of their heading. */
const tabTitles = {
  admin: "admin.overview",
  adminStats: "figures.stats",
  adminUser: "admin.accounts",
  adminFeedback: "admin.feedback",
  adminBlog: "posts.posts",
  adminFlashcards: "lists.generations",
  adminConversations: "lists.conversations",
  adminTiming: "lists.timing",
  adminCancellation: "lists.cancellations",
  adminDemographics: "lists.demographics",
  adminCompletion: "figures.ratings",
  adminFileUser: "figures.model_use",
} as const satisfies Partial<Record<ScreenName, MessageKey>>;
type Tab = keyof typeof tabTitles;
const tabs = Object.keys(tabTitles) as Tab[];

interface Props {
  tab: Tab;
  /** Where it differs from that of the tab. */
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** Heading and navigation of the admin screens; others than administrators see only why they see nothing. */
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
      <nav className="admin-nav" aria-label={t("admin.nav")}>
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
      </nav>
      <header className="admin-header">
        <h1>{title ?? t(tabTitles[tab])}</h1>
        {actions}
      </header>
      {children}
      <p className="admin-privacy">{t("admin.privacy")}</p>
    </div>
  );
}

/** Shown in place of what could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOffline = error instanceof NoResponse;
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

/** The text as of a pause in typing, so that not every key starts a search. */
export function useDebounced(text: string, pauseMs = 250): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
