// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { readLocal } from "#webapp/app/browser/local-storage.ts";
import { SESSION_CACHE_KEY } from "#shared/user/session-cache.ts";
import { completeSignIn, renew, signOut, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";

const grace = { ...ada, _id: "01JD00000000000000000GRACE", name: "Grace" };
const accountOf = (user: typeof ada) => ({ user, organization: null, tempToken: "temp" });

/** Ada is signed in, and her account is being loaded again; `arrive` delivers it. */
async function renewSlowly() {
  const late = createDeferred<ReturnType<typeof accountOf>>();
  let calls: (() => ReturnType<typeof accountOf> | Promise<ReturnType<typeof accountOf>>)[] = [];
  const getUser = () => (calls.shift() ?? (() => accountOf(ada)))();
  await openApp("/home", { signedIn: true, answers: { auth: { getUser } } });
  await waitFor(() => expect(store.get(userAtom)?._id).toBe(ada._id));
  calls = [() => late.promise, () => accountOf(grace)];
  const renewing = renew();
  await waitFor(() => expect(calls).toHaveLength(1));
  return { renewing, arrive: () => late.resolve(accountOf(ada)) };
}

test("an account that arrives after signing out is neither shown nor stored", async () => {
  const { renewing, arrive } = await renewSlowly();
  await signOut();
  arrive();
  await renewing;
  expect(store.get(userAtom)).toBeNull();
  expect(readLocal(SESSION_CACHE_KEY)).toBeNull();
});

test("an account that arrives after another one signed in does not replace it", async () => {
  const { renewing, arrive } = await renewSlowly();
  await signOut();
  const signingIn = completeSignIn({ user: grace, token: "token-of-grace" });
  arrive();
  await Promise.all([renewing, signingIn]);
  expect(store.get(userAtom)?.name).toBe("Grace");
});
