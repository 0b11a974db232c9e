import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { naughtyStrings } from "#tests/kit/naughty.ts";

const LONGEST = 120;
const fits = (name: string) => name.trim() !== "" && name.trim().length <= LONGEST;

test("every naughty string is either stored unchanged as a name or refused as too long or blank", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const ada = await api.newUser();
  for (const name of naughtyStrings()) {
    const saved = await ada.client.user.saveSettings({ name }).catch((error: unknown) => error);
    if (!fits(name)) {
      expect([name, saved]).toEqual([name, expect.objectContaining({ code: "bad_input" })]);
      continue;
    }
    expect([name, (await ada.client.auth.getUser({})).user.name]).toEqual([name, name.trim()]);
  }
});

test("an account with a naughty name can register, sign in and export its data", async () => {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
  const names = naughtyStrings().filter(fits);
  // Only a dozen names from the whole list, because hashing each password takes long.
  for (const [at, name] of names.filter((_, place) => place % Math.ceil(names.length / 12) === 0).entries()) {
    const email = `somebody-${at}@example.org`;
    const { auth } = api.clientFor();
    await auth.register({ name, email, password: PASSWORD });
    const { user, token } = await auth.login({ email, password: PASSWORD });
    expect(user.name).toBe(name.trim());
    const zip = await (await api.clientFor(token).user.exportAccount({})).arrayBuffer();
    const files = unzipSync(new Uint8Array(zip));
    expect(strFromU8(files["lamplight.json"] ?? new Uint8Array())).toContain("digest");
    expect(Object.keys(files).filter((file) => file.includes("..") || file.startsWith("/"))).toEqual([]);
  }
});
