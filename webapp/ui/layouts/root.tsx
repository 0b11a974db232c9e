import { Outlet, useMatches } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Alerts } from "#shared/ui/overlays/alerts.tsx";
import { alertsAtom, dismissAlert } from "#webapp/app/alerts.ts";
import { useDocumentTitle } from "#webapp/app/use-title.ts";

/** Wraps every screen. Sets the document title and shows alerts. */
export function Root() {
  const alerts = useAtomValue(alertsAtom);
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useDocumentTitle(title);
  return (
    <>
      <Outlet />
      <Alerts alerts={alerts} onDismiss={dismissAlert} dismissLabel={t("common.dismiss")} label={t("common.alerts")} />
    </>
  );
}
