import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useEffectEvent, useState, type ReactNode, type RefObject } from "react";
import { Monitor, Moon, Sun } from "lucide-react";
import { foldText } from "#shared/text/fold-text.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useArrival } from "#webapp/app/hooks/use-arrival.ts";
import { forceRescrollState } from "#webapp/app/navigation.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import type { Theme } from "#webapp/app/browser/theme.ts";
import type { User } from "#shared/user/schema.ts";
import { AccountForm } from "./parts/settings/account-form.tsx";
import { Experiments } from "./parts/settings/experiments.tsx";
import { Referral } from "./parts/settings/referral.tsx";
import { LocalModels } from "./parts/settings/local-models.tsx";
import { OfflineStorageSettings } from "./parts/settings/offline-storage.tsx";
import { Reminders } from "./parts/settings/reminders.tsx";
import { AnalyticsSettings } from "./parts/settings/analytics-settings.tsx";
import { LanguageChoice } from "./parts/language-choice.tsx";
import { ProfilePicture } from "./parts/settings/profile-picture.tsx";
import { PlanAndUsage } from "./parts/settings/plan-and-usage.tsx";
import { SchedulerSettings, StudySettings } from "./parts/settings/study-settings.tsx";
import { SampleSettings } from "./parts/settings/sample-settings.tsx";
import { LayoutPreferences, StudyPreferences, TutorPreferences } from "./parts/settings/preferences.tsx";
import { SettingsSections } from "./parts/settings/settings-sections.tsx";
import { Sessions } from "./parts/settings/sessions.tsx";
import { SignInSettings } from "./parts/settings/sign-in-settings.tsx";
import { AccessLog } from "./parts/settings/access-log.tsx";
import { DataSettings } from "./parts/settings/data-settings.tsx";
import { useCurrentSection } from "./parts/settings/use-current-section.ts";
import "./settings-screen.css";

interface SettingsSection {
  id: string;
  title: string;
  content: ReactNode;
}

const listAccountSections = (user: User): SettingsSection[] => [
  {
    id: "account",
    title: t("user.account"),
    content: (
      <>
        <ProfilePicture user={user} />
        <AccountForm key={user._id} user={user} />
      </>
    ),
  },
  {
    id: "security",
    title: t("account.security"),
    content: (
      <>
        <SignInSettings user={user} />
        <h3>{t("account.sessions")}</h3>
        <Sessions />
      </>
    ),
  },
  { id: "plan", title: t("user.plan"), content: <PlanAndUsage user={user} /> },
];

const listWorkSections = (): SettingsSection[] => [
  {
    id: "studying",
    title: t("user.studying"),
    content: (
      <>
        <StudySettings />
        <StudyPreferences />
      </>
    ),
  },
  { id: "reminders", title: t("reminders.title"), content: <Reminders /> },
  { id: "writing", title: t("account.writing"), content: <TutorPreferences /> },
];

const listSections = (user: User): SettingsSection[] => [
  ...listAccountSections(user),
  ...listWorkSections(),
  ...listAdminSections(user),
  { id: "referral", title: t("account.referral"), content: <Referral /> },
  {
    id: "data",
    title: t("account.data"),
    content: (
      <>
        <SampleSettings />
        <DataSettings user={user} />
      </>
    ),
  },
];

/** The sections that most students never change, in a collapsed group at the end. */
const listAdvancedSections = (user: User): SettingsSection[] => [
  { id: "scheduler", title: t("account.scheduler"), content: <SchedulerSettings /> },
  { id: "sidebar", title: t("account.layout"), content: <LayoutPreferences /> },
  {
    id: "labs",
    title: t("labs.title"),
    content: (
      <>
        <Experiments />
        <Link to={screenPath("labs", {})}>{t("labs.all")}</Link>
      </>
    ),
  },
  { id: "offline", title: t("account.offline"), content: <OfflineStorageSettings accountId={user._id} /> },
  { id: "analytics", title: t("account.analytics"), content: <AnalyticsSettings /> },
  {
    id: "access-log",
    title: t("accessLog.title"),
    content: (
      <>
        <p>{t("accessLog.text")}</p>
        <AccessLog />
      </>
    ),
  },
];

const listAdminSections = ({ isAdmin }: User): SettingsSection[] =>
  isAdmin
    ? [
        { id: "models", title: t("localModels.title"), content: <LocalModels /> },
        {
          id: "admin",
          title: t("admin.nav"),
          content: (
            <div className="settings-row">
              <Link to={screenPath("admin", {})}>{t("admin.overview")}</Link>
              <Link to={screenPath("adminUser", {})}>{t("account.invites")}</Link>
            </div>
          ),
        },
      ]
    : [];

/**
 * Hides the sections that lack one of the words, except a section with the focus. Hidden sections keep their state.
 * Returns the number of visible sections.
 */
function filterSections(container: HTMLElement | null, query: string): number {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  const sections = [...(container?.querySelectorAll("section") ?? [])];
  for (const section of sections) {
    const text = foldText(section.textContent ?? "");
    section.hidden = !words.every((word) => text.includes(word)) && !section.contains(document.activeElement);
  }
  for (const group of container?.querySelectorAll("details") ?? [])
    group.hidden = group.querySelector("section:not([hidden])") === null;
  return sections.filter(({ hidden }) => !hidden).length;
}

const Section = ({ id, title, content }: SettingsSection) => (
  <section id={`settings-${id}`}>
    <h2 tabIndex={-1}>{title}</h2>
    {content}
  </section>
);

const SETTINGS_PATH = screenPath("settings", {});
const ADVANCED = "advanced";

interface AdvancedProps {
  sections: readonly SettingsSection[];
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

const Advanced = ({ sections, isOpen, onToggle }: AdvancedProps) => (
  <details
    id={`settings-${ADVANCED}`}
    className="settings-advanced"
    open={isOpen}
    onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
  >
    <summary>
      <h2 tabIndex={-1}>{t("account.advanced")}</h2>
      <span className="settings-note">{t("account.advanced_text")}</span>
    </summary>
    {sections.map((section) => (
      <Section key={section.id} {...section} />
    ))}
  </details>
);

function useSettingsSearch(container: RefObject<HTMLElement | null>) {
  const [query, setQuery] = useState("");
  const [hasMatches, setHasMatches] = useState(true);
  const isSearching = query.trim() !== "";
  const search = (next: string) => {
    setQuery(next);
    setHasMatches(filterSections(container.current, next) > 0);
  };
  useEffect(() => {
    const element = container.current;
    if (!isSearching || !element) return undefined;
    // Searches again when a section loads during a search, because its new content may match.
    const observer = new MutationObserver(() => setHasMatches(filterSections(element, query) > 0));
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [container, isSearching, query]);
  return { query, search, isSearching, hasMatches };
}

const findHeading = (container: HTMLElement | null, sectionId: string) =>
  container?.querySelector<HTMLElement>(`#settings-${CSS.escape(sectionId)} h2`);

/** Goes to the section in the URL's hash as soon as the sections have loaded, and at each further arrival. */
function useSectionFromUrl(isLoaded: boolean, goToSection: (id: string) => void) {
  const hash = useLocation({ select: (location) => location.hash });
  const arrival = useArrival();
  const arrive = useEffectEvent((at: { section: string; arrival: number | undefined }) => {
    if (at.section !== "") goToSection(at.section);
  });
  useEffect(() => {
    if (isLoaded) arrive({ section: hash, arrival });
  }, [isLoaded, hash, arrival]);
}

export function SettingsScreen() {
  const user = useAtomValue(userAtom);
  const navigate = useNavigate();
  const [isAdvancedOpen, setAdvancedOpen] = useState(false);
  const { container, current } = useCurrentSection();
  const { query, search, isSearching, hasMatches } = useSettingsSearch(container);
  const appearance = { id: "appearance", title: t("user.appearance"), content: <Appearance /> };
  const loading = { id: "account", title: t("user.account"), content: <Skeleton label={t("common.loading")} /> };
  const sections = [appearance, ...(user ? listSections(user) : [loading])];
  const scrollToSection = (id: string) => {
    search("");
    const heading = findHeading(container.current, id);
    const group = heading?.closest("details");
    if (group) {
      // At once, because a heading in a closed group has no position.
      group.open = true;
      setAdvancedOpen(true);
    }
    heading?.scrollIntoView({ block: "start" });
  };
  const chooseSection = (id: string, { movesFocus }: { movesFocus: boolean }) => {
    search("");
    if (movesFocus) findHeading(container.current, id)?.focus({ preventScroll: true });
    void navigate({ to: SETTINGS_PATH, hash: id, replace: true, resetScroll: false, state: forceRescrollState });
  };
  useSectionFromUrl(user !== null, scrollToSection);
  return (
    <div className="settings-page">
      <h1>{t("user.settings")}</h1>
      <SettingsSections
        sections={[...sections, { id: ADVANCED, title: t("account.advanced") }]}
        current={current}
        onChoose={chooseSection}
        query={query}
        onSearch={search}
      />
      <div className="settings" ref={container}>
        <p role="status" className={hasMatches ? "visually-hidden" : undefined}>
          {hasMatches ? "" : t("user.settings_none")}
        </p>
        {sections.map((section) => (
          <Section key={section.id} {...section} />
        ))}
        {user && (
          <Advanced
            sections={listAdvancedSections(user)}
            isOpen={isAdvancedOpen || isSearching}
            onToggle={(isOpen) => {
              // A search opens the group only until the search ends.
              if (!isSearching) setAdvancedOpen(isOpen);
            }}
          />
        )}
      </div>
    </div>
  );
}

function Appearance() {
  const { appearance } = useAtomValue(preferencesAtom);
  return (
    <>
      <Segmented
        label={t("user.theme")}
        labelShown
        value={appearance.theme}
        onValue={chooseTheme}
        options={[
          { value: "light", label: t("user.theme_light"), icon: <Sun aria-hidden /> },
          { value: "dark", label: t("user.theme_dark"), icon: <Moon aria-hidden /> },
          { value: "system", label: t("user.theme_system"), icon: <Monitor aria-hidden /> },
        ]}
      />
      <div className="settings-form">
        <LanguageChoice />
      </div>
    </>
  );
}

const chooseTheme = (theme: Theme) => void changePreferences((p) => ({ ...p, appearance: { ...p.appearance, theme } }));
