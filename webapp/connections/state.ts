import { atom } from "jotai/vanilla";
import { NoAnswer } from "#shared/client/client.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import type { Connection } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { leaveFor } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";

export type Connections =
  | { state: "loading" | "failed" | "offline" }
  | { state: "ready"; connections: readonly Connection[]; missingSettings: readonly string[] };

const heldAtom = accountAtom<Connections>({ state: "loading" });
export const connectionsAtom = atom((get) => get(heldAtom));

export async function loadConnections(): Promise<void> {
  try {
    const [{ connections }, { google }] = await Promise.all([
      client.connections.listConnections({}),
      client.connections.getConnectionSettings({}),
    ]);
    store.set(heldAtom, { state: "ready", connections, missingSettings: google.missing });
  } catch (error) {
    if (store.get(heldAtom).state === "ready") return;
    store.set(heldAtom, { state: error instanceof NoAnswer ? "offline" : "failed" });
  }
}

export function retryConnections(): void {
  store.set(heldAtom, { state: "loading" });
  void loadConnections();
}

/** Redirects to Google; resolves only on failure. */
export async function connectDrive(): Promise<void> {
  try {
    const { authUrl } = await client.connections.startGoogleDrive({});
    leaveFor(authUrl);
  } catch (error) {
    logTrouble("Failed to initiate Google Drive OAuth", error);
    notify({ message: t("connections.drive_failed"), type: "error" });
  }
}

export async function disconnect({ _id, connection_type }: Connection): Promise<void> {
  try {
    await client.connections.removeConnection({ id: _id });
    forget(_id);
  } catch (error) {
    logTrouble("Failed to disconnect", error);
    notify({
      message: t("connections.disconnect_failed", { type: t(`connections.${connection_type}`) }),
      type: "error",
    });
  }
}

function forget(id: string): void {
  store.set(heldAtom, (held) =>
    held.state === "ready" ? { ...held, connections: held.connections.filter(({ _id }) => _id !== id) } : held,
  );
}

/** Access was revoked: the row offers to reconnect. */
export function accessLost(id: string): void {
  store.set(heldAtom, (held) =>
    held.state === "ready"
      ? {
          ...held,
          connections: held.connections.map((each) => (each._id === id ? { ...each, is_active: false } : each)),
        }
      : held,
  );
}

/** Resolves to an error message; undefined once the Drive is connected. */
export async function finishDrive(code: string, state: string): Promise<string | undefined> {
  try {
    await client.connections.finishGoogle({ code, state });
    await loadConnections();
    return undefined;
  } catch (error) {
    logTrouble("Could not connect Google Drive", error);
    return friendlyFailure(error)?.message ?? t("failures.other");
  }
}
