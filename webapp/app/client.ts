import { createClient, type Call, type Transport } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { Failure } from "#shared/contract/failure.ts";
import { memberTable } from "#shared/contract/member-table.ts";
import { learnServerTime } from "./server-clock.ts";
import { readToken } from "./session/token.ts";

/** Session callbacks for API calls, injected by the session so that the client does not depend on it. */
interface SessionPort {
  tempToken: () => Promise<string | undefined>;
  handleRefusal: (failure: Failure) => void;
}

let sessionPort: SessionPort = { tempToken: () => Promise.resolve(undefined), handleRefusal: () => undefined };

export function setSessionPort(next: SessionPort): void {
  sessionPort = next;
}

/** Streams and sync calls use the temporary token if there is one. All other calls use the stored token. */
function tokenFor(call: Call): string | undefined | Promise<string | undefined> {
  const isLongRunning = call.endpoint.kind === "stream" || call.endpoint.path.startsWith("/v1/sync");
  return isLongRunning ? tempOrStoredToken() : readToken();
}

/** The token for streams and sockets, which is the temporary token if there is one. */
export const tempOrStoredToken = async () => (await sessionPort.tempToken()) ?? readToken();

let activeTransport: Transport = fetchTransport({ origin: "", token: tokenFor, onServerTime: learnServerTime });

/** Lets tests replace the transport. */
export function setTransport(transport: Transport): void {
  activeTransport = transport;
}

/** Sends a call with the current session. The session handles a failure, such as by signing out. */
export const sendCall: Transport = async (call) => {
  try {
    return await sendWithCurrentToken(call);
  } catch (error) {
    if (error instanceof Failure) sessionPort.handleRefusal(error);
    throw error;
  }
};

export const client = createClient(memberTable, sendCall);

const TOKEN_WAIT_MS = 5_000;
const TOKEN_POLL_MS = 50;

/** Resolves once this or another tab has stored another token; false if that does not happen within seconds. */
export async function waitForNewToken(replaced: string | undefined): Promise<boolean> {
  const endsAt = performance.now() + TOKEN_WAIT_MS;
  while (readToken() === replaced && performance.now() < endsAt)
    await new Promise((resolve) => setTimeout(resolve, TOKEN_POLL_MS));
  return readToken() !== replaced;
}

/**
 * During a token refresh, the server accepts the old token for reads only. Other calls are sent again with the new
 * token.
 */
async function sendWithCurrentToken(call: Call): ReturnType<Transport> {
  const token = readToken();
  try {
    return await activeTransport(call);
  } catch (error) {
    const isReplaced = error instanceof Failure && error.code === "token_replaced";
    if (!isReplaced || call.endpoint === memberTable.auth.refresh || !(await waitForNewToken(token))) throw error;
    return activeTransport(call);
  }
}
