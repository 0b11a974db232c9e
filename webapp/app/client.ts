import { createClient, type Call, type Transport } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { Failure } from "#shared/contract/failure.ts";
import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { readToken } from "./session/token.ts";

/** Session callbacks for API calls, injected by the session so that the client does not depend on it. */
interface SessionDoor {
  tempToken: () => Promise<string | undefined>;
  refused: (failure: Failure) => void;
}

let door: SessionDoor = { tempToken: () => Promise.resolve(undefined), refused: () => undefined };

export function openSessionDoor(next: SessionDoor): void {
  door = next;
}

/** Streams and sync calls use the temporary token if there is one; all other calls use the stored token. */
function tokenFor(call: Call): string | undefined | Promise<string | undefined> {
  const isLong = call.accept === STREAM_TYPE || call.endpoint.path.startsWith("/v1/sync");
  return isLong ? longToken() : readToken();
}

const longToken = async () => (await door.tempToken()) ?? readToken();

let carry: Transport = fetchTransport({ origin: "", token: tokenFor });

/** Lets tests replace the transport. */
export function carryCallsBy(transport: Transport): void {
  carry = transport;
}

export const client = createClient(v1, async (call) => {
  try {
    return await carry(call);
  } catch (error) {
    if (error instanceof Failure) door.refused(error);
    throw error;
  }
});
