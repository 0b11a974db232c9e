import { useAtomValue } from "jotai/react";
import { Monitor, Moon, Sun } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { Switch } from "#shared/ui/checkbox.tsx";
import { Segmented } from "#shared/ui/segmented.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { changePreferences, preferencesAtom } from "#webapp/kit/preferences.ts";
import { userAtom } from "#webapp/kit/session.ts";
import type { Theme } from "#webapp/kit/theme.ts";
import { AccountForm } from "./parts/account-form.tsx";
import { PlanAndUsage } from "./parts/plan-and-usage.tsx";
import { StudySettings } from "./parts/study-settings.tsx";
import "./settings-screen.css";

export function SettingsScreen() {
  const user = useAtomValue(userAtom);
  return (
    <div className="settings">
      <h1>{t("user.settings")}</h1>
      <section>
        <h2>{t("user.appearance")}</h2>
        <Appearance />
      </section>
      <section>
        <h2>{t("user.studying")}</h2>
        <StudySettings />
      </section>
      <section>
        <h2>{t("user.account")}</h2>
        {user ? <AccountForm key={user._id} user={user} /> : <Skeleton label={t("common.loading")} />}
      </section>
      <section>
        <h2>{t("user.plan")}</h2>
        {user ? <PlanAndUsage user={user} /> : <Skeleton label={t("common.loading")} />}
      </section>
    </div>
  );
}

function Appearance() {
  const { appearance, sidebar } = useAtomValue(preferencesAtom);
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
      <Switch
        label={t("user.sidebar")}
        checked={sidebar.minimized}
        onValue={(minimized) => void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, minimized } }))}
      />
    </>
  );
}

const chooseTheme = (theme: Theme) => void changePreferences((p) => ({ ...p, appearance: { ...p.appearance, theme } }));
