import { atom } from "jotai/vanilla";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { ConnectedExtension } from "#shared/connections/extension-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

type ConnectedExtensions =
  | { state: "loading" | "failed" }
  | { state: "ready"; extensions: readonly ConnectedExtension[] };

const extensionsStateAtom = accountAtom<ConnectedExtensions>({ state: "loading" });
export const extensionsAtom = atom((get) => get(extensionsStateAtom));

export const loadExtensions = (): Promise<void> =>
  loadForAccount(
    () => client.connections.listExtensions({}),
    ({ extensions }) => store.set(extensionsStateAtom, { state: "ready", extensions }),
    (error) => {
      logWarning("Could not list connected extensions", error);
      if (store.get(extensionsStateAtom).state !== "ready") store.set(extensionsStateAtom, { state: "failed" });
    },
  );

export async function disconnectExtension({ _id }: ConnectedExtension): Promise<void> {
  try {
    await client.connections.removeExtension({ id: _id });
    store.set(extensionsStateAtom, (current) =>
      current.state === "ready"
        ? { ...current, extensions: current.extensions.filter((extension) => extension._id !== _id) }
        : current,
    );
  } catch (error) {
    logWarning("Failed to disconnect", error);
    notify({ message: t("connections.disconnect_failed", { type: t("extensions.title") }), type: "error" });
  }
}

const extensionErrorMessage = (error: unknown) =>
  error instanceof Failure && (error.code === "not_found" || error.code === "bad_input")
    ? t("extensions.no_code")
    : (toFailureMessage(error)?.message ?? t("failures.other"));

/** The name of the extension that requests access with this code, or an error message. */
export async function findPairingRequest(code: string): Promise<{ name: string } | { problem: string }> {
  try {
    return await client.connections.findExtensionRequest({ code });
  } catch (error) {
    return { problem: extensionErrorMessage(error) };
  }
}

/** Resolves to an error message; undefined on success. */
export async function answerPairingRequest(code: string, isAllowed: boolean): Promise<string | undefined> {
  try {
    await client.connections.answerExtension({ code, isAllowed });
    void loadExtensions();
    return undefined;
  } catch (error) {
    return extensionErrorMessage(error);
  }
}
