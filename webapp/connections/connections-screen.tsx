import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { Calendar } from "./parts/calendar.tsx";
import { Extensions } from "./parts/extensions.tsx";
import { GoogleDrive } from "./parts/google-drive.tsx";
import { connectionsAtom, loadConnections, retryConnections, type Connections } from "./state.ts";
import "./connections-screen.css";

export function ConnectionsScreen() {
  const connections = useAtomValue(connectionsAtom);
  const accountId = useAtomValue(accountIdAtom);
  const { code } = useSearch({ strict: false });
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const load = () => void loadConnections();
    load();
    window.addEventListener("online", load);
    return () => window.removeEventListener("online", load);
  }, [accountId]);
  return (
    <div className="connections">
      <h1>{t("connections.title")}</h1>
      <p className="connections-intro">{t("connections.intro")}</p>
      <Extensions initialCode={typeof code === "string" ? code : ""} />
      <ConnectionsBody connections={connections} />
      {accountId !== undefined && <Calendar key={accountId} connections={connections} />}
    </div>
  );
}

function ConnectionsBody({ connections }: { connections: Connections }) {
  const retry = <Button onClick={retryConnections}>{t("common.retry")}</Button>;
  switch (connections.state) {
    case "loading":
      return <Skeleton label={t("common.loading")} lines={[100, 70]} height={64} />;
    case "offline":
      return (
        <EmptyState title={t("connections.offline_title")} action={retry}>
          {t("connections.offline_text")}
        </EmptyState>
      );
    case "failed":
      return (
        <ErrorState title={t("connections.failed_title")} action={retry}>
          {t("connections.failed_text")}
        </ErrorState>
      );
    case "ready":
      return (
        <GoogleDrive
          connection={connections.connections.find(({ connection_type }) => connection_type === "google_drive")}
          missingSettings={connections.missingSettings}
        />
      );
    default:
      return connections satisfies never;
  }
}
