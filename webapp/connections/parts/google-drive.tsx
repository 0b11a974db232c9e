import { useState } from "react";
import type { Connection } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { connectDrive, disconnectAccount } from "../state.ts";
import { ConnectButton } from "./connect-button.tsx";
import { DriveFileList } from "./drive-file-list.tsx";
import { MissingSettings } from "./missing-settings.tsx";

interface Props {
  connection: Connection | undefined;
  missingSettings: readonly string[];
}

export function GoogleDrive({ connection, missingSettings }: Props) {
  return (
    <section className="connection" aria-labelledby="google-drive">
      <h2 id="google-drive">{t("connections.google_drive")}</h2>
      <p className="connection-about">{t("connections.drive_about")}</p>
      {missingSettings.length > 0 && (
        <MissingSettings names={missingSettings} what={t("connections.not_set")} ask={t("connections.not_set_ask")} />
      )}
      {connection && <Connected connection={connection} canConnect={missingSettings.length === 0} />}
      {!connection && missingSettings.length === 0 && (
        <ConnectButton label={t("connections.connect")} variant="primary" onConnect={connectDrive} />
      )}
    </section>
  );
}

function Connected({ connection, canConnect }: { connection: Connection; canConnect: boolean }) {
  const { _id, email, is_active, connection_type } = connection;
  const [isDisconnecting, setDisconnecting] = useState(false);
  const handleDisconnect = async () => {
    setDisconnecting(true);
    await disconnectAccount(connection);
    setDisconnecting(false);
  };
  const type = t(`connections.${connection_type}`);
  return (
    <>
      <div className="connection-row">
        <p role="status">{email === null ? t("connections.connected") : t("connections.connected_as", { email })}</p>
        <Button
          variant="quiet"
          pending={isDisconnecting}
          aria-label={t("connections.disconnect_of", { type })}
          onClick={() => void handleDisconnect()}
        >
          {t("connections.disconnect")}
        </Button>
      </div>
      {!is_active && <p className="connection-note">{t("connections.access_lost")}</p>}
      {!is_active && canConnect && (
        <ConnectButton label={t("connections.connect_again")} variant="primary" onConnect={connectDrive} />
      )}
      {is_active && canConnect && <DriveFileList connectionId={_id} />}
    </>
  );
}
