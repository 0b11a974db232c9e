import type { DBSchema } from "idb";
import type { Message } from "#shared/tutor/schema.ts";
import { openOnce } from "#shared/sync/open-once.ts";
import type { Subject } from "./ask.ts";

/** The conversation about one address, as last known on this device. */
export interface KeptTalk {
  accountId: string;
  address: string;
  subject: Subject;
  messages: readonly Message[];
  keptAt: number;
}

interface TalkSchema extends DBSchema {
  talks: { key: [string, string]; value: KeptTalk; indexes: { age: number } };
}

/** The oldest conversations are removed; their threads remain on the server. */
const MAX_TALKS = 300;

const open = openOnce<TalkSchema>({
  name: "lamplight-talks",
  steps: [
    (db) => void db.createObjectStore("talks", { keyPath: ["accountId", "address"] }).createIndex("age", "keptAt"),
  ],
});

export const readKeptTalk = async (accountId: string, address: string): Promise<KeptTalk | undefined> =>
  (await open()).get("talks", [accountId, address]);

export async function keepTalk(talk: KeptTalk): Promise<void> {
  const tx = (await open()).transaction("talks", "readwrite");
  await tx.store.put(talk);
  const keys = await tx.store.index("age").getAllKeys();
  for (const key of keys.slice(0, Math.max(0, keys.length - MAX_TALKS))) await tx.store.delete(key);
  await tx.done;
}
