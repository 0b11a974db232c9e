import { users } from "../authenticate.ts";
import { removeSession, removeSessionsOf, removeTokensOfSession, removeTokensOfUser } from "./session-store.ts";
import type { DocumentStore } from "#api/store/port.ts";

/** Counts a revocation, which also ends approvals that have issued no token yet (`api/connections/extension.ts`). */
export const countRevocation = (store: DocumentStore, userId: string) =>
  store.collection(users).patch({ _id: userId }, { increment: { revocations: 1 } });

/** Ends a session with every token that was issued from it. */
export async function endSession(store: DocumentStore, userId: string, id: string): Promise<void> {
  await countRevocation(store, userId);
  await removeSession(store, id);
  await removeTokensOfSession(store, id);
  // Repeated, in case another process was changing the same session meanwhile.
  await removeSession(store, id);
}

/** Ends every session of an account. */
export async function endAccountSessions(store: DocumentStore, userId: string): Promise<void> {
  await countRevocation(store, userId);
  await removeSessionsOf(store, userId);
  await removeTokensOfUser(store, userId);
  await removeSessionsOf(store, userId);
}
