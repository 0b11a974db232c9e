import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";

/** What the command prints, while the server runs on the same data. */
function command(dataDir: string, ...words: string[]): string {
  const env = { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: "https://study.example", REGISTRATION: "open" };
  return execFileSync(process.execPath, ["scripts/account-command.ts", ...words], { env, encoding: "utf8" }).trim();
}

test("without a mail server, reset-link prints a link that sets a new password without verifying the address", async () => {
  const api = await startApi();
  const { email } = await api.newUser();
  const link = new URL(command(api.dataDir, "reset-link", email.toUpperCase()));
  expect(link.href).toMatch(/^https:\/\/study\.example\/reset_password#token=/);
  const token = link.hash.slice("#token=".length);
  const { auth } = api.clientFor();
  // The command uses the real time, while the server's fake clock is earlier.
  await auth.resetPassword({ token, password: "another lamp entirely" });
  expect((await auth.login({ email, password: "another lamp entirely" })).user.emailVerified).toBe(false);
  expect(() => command(api.dataDir, "reset-link", "nobody@example.org")).toThrow(
    "No account found for this email address",
  );
});

test("admin grants and revokes administrator rights, sign-out ends all sessions of an account, and invite prints a working link", async () => {
  const api = await startApi({ env: { REGISTRATION: "open" } });
  const first = await api.newUser();
  const second = await api.newUser();
  command(api.dataDir, "admin", "grant", second.email);
  expect((await second.client.auth.getUser({})).user.isAdmin).toBe(true);
  command(api.dataDir, "admin", "revoke", second.email);
  expect((await second.client.auth.getUser({})).user.isAdmin).toBe(false);
  const phone = api.clientFor((await api.clientFor().auth.login({ email: second.email, password: PASSWORD })).token);
  command(api.dataDir, "sign-out", second.email.toUpperCase());
  for (const client of [second.client, phone])
    await expect(client.auth.getUser({})).rejects.toMatchObject({ code: "signed_out" });
  await first.client.auth.getUser({});
  const code = new URL(command(api.dataDir, "invite")).searchParams.get("invite") ?? "";
  await api.stop();
  const closed = await startApi({ dataDir: api.dataDir, env: { REGISTRATION: "invite" }, realClock: true });
  const { auth } = closed.clientFor();
  await auth.register({ name: "Grace", email: "grace@example.org", password: PASSWORD, inviteCode: code });
}, 60_000);
