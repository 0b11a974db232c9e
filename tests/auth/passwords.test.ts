import { expect, test } from "vitest";
import { PASSWORD } from "#tests/kit/account.ts";
import { startApi } from "#tests/kit/api.ts";

const YEAR_MS = 366 * 86_400_000;

test("a password may be 1,000 characters of any script, follows no other rule and never expires", async () => {
  const api = await startApi();
  const { auth } = api.clientFor();
  for (const [at, password] of ["ß 灯 🪔 lamp ".repeat(100).slice(0, 1000), "qwzxvbnm", "        9 9 9 a"].entries()) {
    const email = `ada${at}@example.org`;
    await auth.register({ name: "Ada", email, password });
    api.clock.advance(5 * YEAR_MS);
    expect((await auth.login({ email, password })).user.email).toBe(email);
    await expect(auth.login({ email, password: password.slice(0, -1) })).rejects.toMatchObject({
      code: "wrong_credentials",
    });
    await expect(
      auth.login({ email, password: password.replace(/[a-z]/, (letter) => letter.toUpperCase()) }),
    ).rejects.toMatchObject({
      code: "wrong_credentials",
    });
  }
  const tooLong = { name: "Ada", email: "more@example.org", password: "x".repeat(1001) };
  await expect(auth.register(tooLong)).rejects.toMatchObject({ code: "bad_input" });
});

test("a common password is refused at a change too", async () => {
  const api = await startApi();
  const { client } = await api.newUser();
  const change = { password: PASSWORD, newPassword: "password123" };
  await expect(client.auth.changePassword(change)).rejects.toMatchObject({ code: "bad_input" });
});
