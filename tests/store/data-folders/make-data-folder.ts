// Records a data folder for data-folder.test.ts: `node tests/store/data-folders/make-data-folder.ts 1`, where 1 is the
// data version. Run it with the last program of a version, before a migration to the next version is added. Commit the
// three files that it writes: a backup of the folder, the answers to the accounts' calls, and an account's archive.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { ensurePayer, saveCustomer, saveNextRefresh, startRefresh } from "#api/billing/store.ts";
import { createBackup } from "#api/store/create-backup.ts";
import { openDataFolder } from "#api/store/data-folder.ts";
import { migrations } from "#api/store/migrations.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { fillAccount, fillInstallation } from "./fill-accounts.ts";
import { readEverything } from "./read-everything.ts";

const email = "ada@example.org";
const version = Number(process.argv[2]);
if (!Number.isInteger(version)) throw new Error("Enter the data version");

/** An account that paid: the payment provider is not part of a recording. */
async function addPayer(dataDir: string, userId: string, refreshAt: number): Promise<void> {
  const { store } = await openDataFolder(dataDir, migrations);
  const own = ownedBy(store, userId);
  await ensurePayer(own);
  await saveCustomer(own, "cus_recorded", null);
  await startRefresh(own);
  await saveNextRefresh(own, refreshAt);
  await store.close();
}

const server = await startServerProcess({ REGISTRATION: "open" });
try {
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  const { token, user } = await clientFor().auth.register({ name: "Ada", email, password: PASSWORD });
  await clientFor().auth.login({ email, password: PASSWORD });
  const client = clientFor(token);
  const ids = await fillAccount(client);
  const { token: studentToken } = await clientFor().auth.register({
    name: "Bea",
    email: "bea@example.org",
    password: PASSWORD,
  });
  await fillInstallation(client, clientFor(studentToken));
  // The first reading brings counts up to date.
  await readEverything(client);
  const madeAt = Date.now();
  const everything = await readEverything(client);
  const student = await readEverything(clientFor(studentToken));
  const archive = await client.user.exportAccount({});
  await server.stop();
  await addPayer(server.dataDir, user._id, madeAt);
  const base = join(import.meta.dirname, `version-${version}`);
  await createBackup(server.dataDir, `${base}.backup`);
  writeFileSync(`${base}.zip`, Buffer.from(await archive.arrayBuffer()));
  const recording = { madeAt, email, token, studentToken, ...ids, everything, student };
  writeFileSync(`${base}.json`, `${JSON.stringify(recording, null, 1)}\n`);
} finally {
  await server.dispose();
}
