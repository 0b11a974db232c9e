import { atom } from "jotai/vanilla";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { Connection, ConnectionType } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openExternal } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";

export type Connections =
  | { state: "loading" | "failed" | "offline" }
  | { state: "ready"; connections: readonly Connection[]; missingSettings: readonly string[] };

const connectionsStateAtom = accountAtom<Connections>({ state: "loading" });
export const connectionsAtom = atom((get) => get(connectionsStateAtom));

export const loadConnections = (): Promise<void> =>
  loadForAccount(
    () => Promise.all([client.connections.listConnections({}), client.connections.getConnectionSettings({})]),
    ([{ connections }, { google }]) =>
      store.set(connectionsStateAtom, { state: "ready", connections, missingSettings: google.missing }),
    (error) => {
      if (store.get(connectionsStateAtom).state === "ready") return;
      store.set(connectionsStateAtom, { state: error instanceof NoResponseError ? "offline" : "failed" });
    },
  );

export function retryConnections(): void {
  store.set(connectionsStateAtom, { state: "loading" });
  void loadConnections();
}

/** Redirects to Google. Resolves only on failure. */
async function redirectToGoogle(type: ConnectionType, start: () => Promise<{ authUrl: string }>): Promise<void> {
  try {
    openExternal((await start()).authUrl);
  } catch (error) {
    logWarning(`Failed to initiate OAuth for ${type}`, error);
    const message = t(type === "google_drive" ? "connections.drive_failed" : "connections.calendar_failed");
    notify({ message, type: "error" });
  }
}

export const connectDrive = () => redirectToGoogle("google_drive", () => client.connections.startGoogleDrive({}));
export const connectCalendar = () =>
  redirectToGoogle("google_calendar", () => client.connections.startGoogleCalendar({}));

export async function disconnectAccount({ _id, connection_type }: Connection): Promise<void> {
  try {
    await client.connections.removeConnection({ id: _id });
    removeFromList(_id);
  } catch (error) {
    logWarning("Failed to disconnect", error);
    notify({
      message: t("connections.disconnect_failed", { type: t(`connections.${connection_type}`) }),
      type: "error",
    });
  }
}

function removeFromList(id: string): void {
  store.set(connectionsStateAtom, (current) =>
    current.state === "ready"
      ? { ...current, connections: current.connections.filter(({ _id }) => _id !== id) }
      : current,
  );
}

/** Marks the connection as inactive, so that its row offers to connect again. */
export function markAccessRevoked(id: string): void {
  store.set(connectionsStateAtom, (current) =>
    current.state === "ready"
      ? {
          ...current,
          connections: current.connections.map((connection) =>
            connection._id === id ? { ...connection, is_active: false } : connection,
          ),
        }
      : current,
  );
}

/** Connects Google Drive or Google Calendar. Resolves to an error message; undefined on success. */
export async function finishGoogleConnection(code: string, state: string): Promise<string | undefined> {
  try {
    await client.connections.finishGoogle({ code, state });
    await loadConnections();
    return undefined;
  } catch (error) {
    logWarning("Could not connect a Google account", error);
    return toFailureMessage(error)?.message ?? t("failures.other");
  }
}
