import { users } from "../authenticate.ts";
import { removeSession, removeSessionsOf, removeTokensOfSession, removeTokensOfUser } from "./session-store.ts";
import type { DocumentStore } from "#api/store/port.ts";

/** Also ends what was approved before and has not given out its token yet (`api/connections/extension.ts`). */
export const countRevocation = (store: DocumentStore, userId: string) =>
  store.collection(users).patch({ _id: userId }, { increment: { revocations: 1 } });

/** Ends a session with every token drawn from it. */
export async function endSession(store: DocumentStore, userId: string, id: string): Promise<void> {
  await countRevocation(store, userId);
  await removeSession(store, id);
  await removeTokensOfSession(store, id);
  // Another process may have been at the same tokens.
  await removeSession(store, id);
}

/** Ends every session of an account. */
export async function endAccountSessions(store: DocumentStore, userId: string): Promise<void> {
  await countRevocation(store, userId);
  await removeSessionsOf(store, userId);
  await removeTokensOfUser(store, userId);
  await removeSessionsOf(store, userId);
}
