import { Failure } from "#shared/contract/failure.ts";
import { screenPath } from "#shared/screens.ts";
import { notify } from "#extension/app/channel.ts";
import { client } from "#extension/app/client.ts";
import {
  type Connecting,
  readServer,
  readSetting,
  removeSetting,
  writeSetting,
} from "#extension/app/settings-store.ts";
import { openTab } from "#extension/platform/pages.ts";

/** Lifetime of a pairing code, measured by the local clock because the server's may differ. */
const CODE_TTL_MS = 600_000;

type ConnectOutcome = "connected" | "refused" | "expired";

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Browser and operating system, for the list of connections. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Firefox/.test(agent) ? "Firefox" : /Edg\//.test(agent) ? "Edge" : "Chrome";
  const system = /Windows|Mac OS|Android|CrOS|Linux/.exec(agent)?.[0] ?? "";
  return system === "" ? browser : `${browser} on ${system === "CrOS" ? "ChromeOS" : system}`;
}

/** Requests a pairing code and opens the page where the student confirms it. */
export async function startConnecting(): Promise<Connecting> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const challenge = base64url(new Uint8Array(digest));
  const server = await readServer();
  const started = await client.connections.startExtension({ name: deviceName(), challenge });
  const { deviceId, code, pollMs } = started;
  const connecting = { server, verifier, deviceId, code, pollMs, begunAt: Date.now() };
  await writeSetting("connecting", connecting);
  await showConfirmation(connecting);
  return connecting;
}

export const showConfirmation = ({ server, code }: Connecting) =>
  openTab(`${server}${screenPath("connections", {})}?code=${code}`);

export async function findConnecting(): Promise<Connecting | undefined> {
  const stored = await readSetting("connecting");
  const isValid = stored && Math.abs(Date.now() - stored.begunAt) < CODE_TTL_MS;
  if (isValid && stored.server === (await readServer())) return stored;
  await removeSetting("connecting");
  return undefined;
}

export const stopConnecting = () => removeSetting("connecting");

/** Polls once; undefined while the request is unanswered. Rejects if the server cannot be reached. */
export async function pollConnecting({ deviceId, verifier }: Connecting): Promise<ConnectOutcome | undefined> {
  try {
    const answer = await client.connections.pollExtension({ deviceId, verifier });
    if (answer.state === "waiting") return undefined;
    if (answer.state === "connected") {
      const { _id: accountId, name, email } = answer.user;
      await writeSetting("account", { accountId, name, email, token: answer.token, hasEnded: false });
      notify("account");
    }
    await removeSetting("connecting");
    return answer.state;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.code === "too_many_requests") throw error;
    await removeSetting("connecting");
    return "expired";
  }
}

/** Revokes the token at the server if it can be reached, and removes it here in any case. Pending captures stay. */
export async function disconnect(): Promise<void> {
  await client.auth.logout({}).catch(() => undefined);
  await removeSetting("account");
  notify("account");
}
