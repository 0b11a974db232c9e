import { useState } from "react";
import type { Connection } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { connectCalendar, disconnectAccount } from "../state.ts";
import { ConnectButton } from "./connect-button.tsx";
import { MissingSettings } from "./missing-settings.tsx";

interface Props {
  connection: Connection | undefined;
  missingSettings: readonly string[];
}

/** Connects Google Calendar, in which the app then writes to a calendar of its own. */
export function GoogleCalendar({ connection, missingSettings }: Props) {
  const isAvailable = missingSettings.length === 0;
  if (!isAvailable && !connection)
    return (
      <MissingSettings
        names={missingSettings}
        what={t("connections.calendar_not_set")}
        ask={t("connections.calendar_ask")}
      />
    );
  return (
    <div className="calendar-google">
      <h3>{t("connections.google_calendar")}</h3>
      <p className="connection-about">{t("connections.calendar_about")}</p>
      {connection ? (
        <Connected connection={connection} isAvailable={isAvailable} />
      ) : (
        <ConnectButton label={t("connections.calendar_connect")} onConnect={connectCalendar} />
      )}
    </div>
  );
}

function Connected({ connection, isAvailable }: { connection: Connection; isAvailable: boolean }) {
  const { email, is_active, connection_type } = connection;
  const [isDisconnecting, setDisconnecting] = useState(false);
  const handleDisconnect = async () => {
    setDisconnecting(true);
    await disconnectAccount(connection);
    setDisconnecting(false);
  };
  return (
    <>
      <div className="connection-row">
        <p role="status">{email === null ? t("connections.connected") : t("connections.connected_as", { email })}</p>
        <Button
          variant="quiet"
          pending={isDisconnecting}
          aria-label={t("connections.disconnect_of", { type: t(`connections.${connection_type}`) })}
          onClick={() => void handleDisconnect()}
        >
          {t("connections.disconnect")}
        </Button>
      </div>
      <p className="connection-about">
        {t(is_active ? "connections.calendar_disconnect_note" : "connections.calendar_lost")}
      </p>
      {!is_active && isAvailable && (
        <ConnectButton label={t("connections.connect_again")} onConnect={connectCalendar} />
      )}
    </>
  );
}
