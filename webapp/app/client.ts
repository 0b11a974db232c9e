import { createClient, type Call, type Transport } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch.ts";
import { Failure } from "#shared/contract/failure.ts";
import { STREAM_TYPE } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { readToken } from "./session/token.ts";

/** What the session does for calls; set by it, so that the client does not depend on who is signed in. */
interface SessionDoor {
  tempToken: () => Promise<string | undefined>;
  refused: (failure: Failure) => void;
}

let door: SessionDoor = { tempToken: () => Promise.resolve(undefined), refused: () => undefined };

export function openSessionDoor(next: SessionDoor): void {
  door = next;
}

/** Streams and sync calls carry the temporary token where there is one; everything else the stored token. */
function tokenFor(call: Call): string | undefined | Promise<string | undefined> {
  const isLong = call.accept === STREAM_TYPE || call.endpoint.path.startsWith("/v1/sync");
  return isLong ? longToken() : readToken();
}

const longToken = async () => (await door.tempToken()) ?? readToken();

let carry: Transport = fetchTransport({ origin: "", token: tokenFor });

/** Tests answer calls themselves. */
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
