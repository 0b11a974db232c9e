import { useAtomValue } from "jotai/react";
import { useState } from "react";
import type { Connection } from "#shared/connections/contract.ts";
import { languageHere } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import { connectDrive, disconnect } from "../state.ts";
import { DriveFiles } from "./drive-files.tsx";

interface Props {
  connection: Connection | undefined;
  missingSettings: readonly string[];
}

export function GoogleDrive({ connection, missingSettings }: Props) {
  return (
    <section className="connection" aria-labelledby="google-drive">
      <h2 id="google-drive">{t("connections.google_drive")}</h2>
      <p className="connection-about">{t("connections.drive_about")}</p>
      {missingSettings.length > 0 && <NotSet names={missingSettings} />}
      {connection && <Connected connection={connection} canConnect={missingSettings.length === 0} />}
      {!connection && missingSettings.length === 0 && <Connect label={t("connections.connect")} />}
    </section>
  );
}

const list = new Intl.ListFormat(languageHere(), { type: "conjunction" });

function NotSet({ names }: { names: readonly string[] }) {
  const isAdmin = useAtomValue(userAtom)?.isAdmin ?? false;
  return (
    <p className="connection-note">
      {t("connections.not_set")}{" "}
      {isAdmin ? t("connections.not_set_how", { names: list.format(names) }) : t("connections.not_set_ask")}
    </p>
  );
}

function Connect({ label }: { label: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await connectDrive();
    setLeaving(false);
  };
  return (
    <div>
      <Button variant="primary" pending={isLeaving} onClick={() => void leave()}>
        {label}
      </Button>
    </div>
  );
}

function Connected({ connection, canConnect }: { connection: Connection; canConnect: boolean }) {
  const { _id, email, is_active, connection_type } = connection;
  const [isGoing, setGoing] = useState(false);
  const go = async () => {
    setGoing(true);
    await disconnect(connection);
    setGoing(false);
  };
  const type = t(`connections.${connection_type}`);
  return (
    <>
      <div className="connection-row">
        <p role="status">{email === null ? t("connections.connected") : t("connections.connected_as", { email })}</p>
        <Button
          variant="quiet"
          pending={isGoing}
          aria-label={t("connections.disconnect_of", { type })}
          onClick={() => void go()}
        >
          {t("connections.disconnect")}
        </Button>
      </div>
      {!is_active && <p className="connection-note">{t("connections.lost")}</p>}
      {!is_active && canConnect && <Connect label={t("connections.connect_again")} />}
      {is_active && canConnect && <DriveFiles connectionId={_id} />}
    </>
  );
}
