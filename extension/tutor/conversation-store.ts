import type { DBSchema } from "idb";
import type { Message } from "#shared/tutor/schema.ts";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import type { Subject } from "./ask.ts";

/** The conversation about one address, as last known on this device. */
export interface StoredConversation {
  accountId: string;
  address: string;
  subject: Subject;
  messages: readonly Message[];
  keptAt: number;
}

interface ConversationSchema extends DBSchema {
  talks: { key: [string, string]; value: StoredConversation; indexes: { age: number } };
}

/** The oldest conversations are removed; their threads remain on the server. */
const MAX_CONVERSATIONS = 300;

const open = openDatabase<ConversationSchema>({
  name: "lamplight-talks",
  steps: [
    (db) => void db.createObjectStore("talks", { keyPath: ["accountId", "address"] }).createIndex("age", "keptAt"),
  ],
});

export const readStoredConversation = async (
  accountId: string,
  address: string,
): Promise<StoredConversation | undefined> => (await open()).get("talks", [accountId, address]);

export async function saveConversation(conversation: StoredConversation): Promise<void> {
  const tx = (await open()).transaction("talks", "readwrite");
  await tx.store.put(conversation);
  const keys = await tx.store.index("age").getAllKeys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MAX_CONVERSATIONS))) await tx.store.delete(key);
  await tx.done;
}
