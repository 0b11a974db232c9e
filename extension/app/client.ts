import { type Client, createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { Failure } from "#shared/contract/failure.ts";
import { v1 } from "#shared/contract/v1.ts";
import { notify } from "./channel.ts";
import { type Account, readServer, readSetting, writeSetting } from "./settings-store.ts";

export type V1Client = Client<typeof v1>;

/** API client for the connected account and the configured server, both read for each call. */
export const client: V1Client = createClient(v1, async (call) => {
  const account = await readSetting("account");
  const transport = fetchTransport({ origin: await readServer(), token: () => account?.token });
  try {
    return await transport(call);
  } catch (error) {
    if (account && error instanceof Failure && error.code === "signed_out") await markTokenRejected(account);
    throw error;
  }
});

/** Notes that the server rejects the token, unless the token was replaced in the meantime. */
async function markTokenRejected({ token }: Account): Promise<void> {
  const current = await readSetting("account");
  if (current?.token !== token || current.hasEnded) return;
  await writeSetting("account", { ...current, hasEnded: true });
  notify("account");
}
