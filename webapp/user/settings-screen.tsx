import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import type { ReactNode } from "react";
import { Monitor, Moon, Sun } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import type { Theme } from "#webapp/app/browser/theme.ts";
import type { User } from "#shared/user/schema.ts";
import { AccountForm } from "./parts/settings/account-form.tsx";
import { Experiments } from "./parts/settings/experiments.tsx";
import { Invites, Referral } from "./parts/settings/invites.tsx";
import { OfflineStorageSettings } from "./parts/settings/offline-storage.tsx";
import { Reminders } from "./parts/settings/reminders.tsx";
import { AnalyticsSettings } from "./parts/settings/analytics-settings.tsx";
import { LanguageChoice } from "./parts/language-choice.tsx";
import { ProfilePicture } from "./parts/settings/profile-picture.tsx";
import { PlanAndUsage } from "./parts/settings/plan-and-usage.tsx";
import { StudySettings } from "./parts/settings/study-settings.tsx";
import { SampleSettings } from "./parts/settings/sample-settings.tsx";
import { SidebarPreferences, StudyPreferences, TutorPreferences } from "./parts/settings/preferences.tsx";
import { Sessions } from "./parts/settings/sessions.tsx";
import { SignInSettings } from "./parts/settings/sign-in-settings.tsx";
import { AdminLooks } from "./parts/settings/admin-looks.tsx";
import { DataSettings } from "./parts/settings/data-settings.tsx";
import "./settings-screen.css";

export function SettingsScreen() {
  const user = useAtomValue(userAtom);
  return (
    <div className="settings">
      <h1>{t("user.settings")}</h1>
      <Section title={t("user.appearance")}>
        <Appearance />
      </Section>
      {user ? (
        <UserSections user={user} />
      ) : (
        <Section title={t("user.account")}>
          <Skeleton label={t("common.loading")} />
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function UserSections({ user }: { user: User }) {
  return (
    <>
      <Section title={t("user.account")}>
        <ProfilePicture user={user} />
        <AccountForm key={user._id} user={user} />
      </Section>
      <Section title={t("account.security")}>
        <SignInSettings user={user} />
        <h3>{t("account.sessions")}</h3>
        <Sessions />
      </Section>
      <Section title={t("user.plan")}>
        <PlanAndUsage user={user} />
      </Section>
      <Section title={t("user.studying")}>
        <StudySettings />
        <StudyPreferences />
      </Section>
      <Section title={t("reminders.title")}>
        <Reminders />
      </Section>
      <Section title={t("account.writing")}>
        <TutorPreferences />
      </Section>
      <Section title={t("account.sidebar")}>
        <SidebarPreferences />
        <SampleSettings />
      </Section>
      <Section title={t("labs.title")}>
        <Experiments />
        <Link to={screenPath("labs", {})}>{t("labs.all")}</Link>
      </Section>
      {user.isAdmin && (
        <Section title={t("account.invites")}>
          <Link to={screenPath("admin", {})}>{t("admin.nav")}</Link>
          <Invites />
        </Section>
      )}
      <Section title={t("account.referral")}>
        <Referral />
      </Section>
      <Section title={t("account.offline")}>
        <OfflineStorageSettings accountId={user._id} />
      </Section>
      <Section title={t("account.analytics")}>
        <AnalyticsSettings />
      </Section>
      <Section title={t("account.data")}>
        <DataSettings user={user} />
      </Section>
      <Section title={t("looks.title")}>
        <p>{t("looks.text")}</p>
        <AdminLooks />
      </Section>
    </>
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
