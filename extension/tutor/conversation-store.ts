import { type DBSchema, unwrap } from "idb";
import type { Message } from "#shared/tutor/schema.ts";
import { openDatabase } from "#shared/sync/storage/open-database.ts";
import { renameField, renameStore } from "#shared/sync/storage/rename-stored.ts";
import type { Subject } from "./ask.ts";

/** The conversation about one address, as last known on this device. */
export interface StoredConversation {
  accountId: string;
  address: string;
  subject: Subject;
  messages: readonly Message[];
  /** The time of the last use. */
  usedAt: number;
}

interface ConversationSchema extends DBSchema {
  conversations: { key: [string, string]; value: StoredConversation; indexes: { age: number } };
}

/** The oldest conversations are removed; their threads remain on the server. */
const MAX_CONVERSATIONS = 300;

const open = openDatabase<ConversationSchema>({
  // The name of the first version, so that its conversations are found.
  name: "lamplight-talks",
  steps: [
    (db) =>
      void db.createObjectStore("conversations", { keyPath: ["accountId", "address"] }).createIndex("age", "usedAt"),
    (_db, transaction) => {
      const upgrade = unwrap(transaction);
      renameStore(upgrade, "talks", "conversations");
      const conversations = upgrade.objectStore("conversations");
      renameField(conversations, "keptAt", "usedAt");
      conversations.deleteIndex("age");
      conversations.createIndex("age", "usedAt");
    },
  ],
});

export const readStoredConversation = async (
  accountId: string,
  address: string,
): Promise<StoredConversation | undefined> => (await open()).get("conversations", [accountId, address]);

export async function saveConversation(conversation: StoredConversation): Promise<void> {
  const tx = (await open()).transaction("conversations", "readwrite");
  await tx.store.put(conversation);
  const keys = await tx.store.index("age").getAllKeys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MAX_CONVERSATIONS))) await tx.store.delete(key);
  await tx.done;
}
