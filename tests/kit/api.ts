import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { type Client, createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { PlanType } from "#shared/user/schema.ts";
import { createApp } from "#api/app.ts";
import { signIn, createAccount } from "#api/auth/accounts.ts";
import { hashPassword } from "#api/auth/passwords.ts";
import type { Clock } from "#api/clock.ts";
import { users } from "#api/http/authenticate.ts";
import type { Ctx, Deps } from "#api/http/handler.ts";
import { readSettings } from "#api/settings.ts";
import { assemble } from "#api/assemble.ts";
import { createLog } from "#api/log.ts";
import { PASSWORD } from "./account.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";

export type V1Client = Client<typeof v1>;

export interface TestUser {
  client: V1Client;
  userId: string;
  email: string;
  token: string;
}

export interface TestApi {
  origin: string;
  deps: Deps;
  clock: FakeClock;
  dataDir: string;
  /** A client with a token or without. */
  clientFor(token?: string): V1Client;
  newUser(options?: { plan?: PlanType; name?: string }): Promise<TestUser>;
  /** Shuts the API down like a signal; the data folder is kept until the test ends. */
  stop(): Promise<void>;
}

interface ApiOptions {
  env?: Record<string, string>;
  /** The data folder of an earlier API, to start again on it. */
  dataDir?: string;
  clock?: FakeClock;
  /** A port that others know beforehand. */
  port?: number;
  /** The built web app, for a browser whose clock is moved together with the server's. */
  webFolder?: string;
  /** Real time, for background work. */
  realClock?: boolean;
  /** Shares one API with all tests of a file; it stops with the file. */
  forFile?: boolean;
}

/** The real API on its own port, with a data folder that is removed when the test ends. */
export async function startApi(options: ApiOptions = {}): Promise<TestApi> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "lamplight-")));
  const settings = readSettings({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    SITES_PORT: "0",
    DATA_DIR: dataDir,
    ...options.env,
  });
  const fake = options.clock ?? fakeClock();
  const clock: Clock = options.realClock ? { now: () => Date.now() } : fake;
  const running = await assemble(settings, { clock, log: createLog(settings.LOG_LEVEL) });
  await running.listenForSites(0);
  const server = createApp({
    deps: running.deps,
    ...(options.webFolder === undefined ? {} : { webFolder: options.webFolder }),
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    running.closePreviews();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await running.close();
  };
  const whenOver = options.forFile ? afterAll : onTestFinished;
  whenOver(async () => {
    await stop();
    if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin, token: () => token }));
  const newUser = (account = {}) => makeUser(running.deps, clientFor, account);
  return { origin, deps: running.deps, clock: fake, dataDir, clientFor, newUser, stop };
}

let made = 0;
let derived: Promise<string> | undefined;

/** Registers an account without deriving its password, which takes longer than many tests. */
async function enterNewAccount(deps: Deps, { name, email }: { name: string; email: string }) {
  derived ??= hashPassword(PASSWORD);
  const ctx: Ctx = {
    ...deps,
    requestId: "a test",
    signal: new AbortController().signal,
    address: "127.0.0.1",
    header: (field) => (field.toLowerCase() === "user-agent" ? "node" : undefined),
    language: () => "en",
  };
  const user = await createAccount(ctx, {
    name,
    email,
    passwordHash: await derived,
    authProvider: "EMAIL_PASSWORD",
    emailVerified: false,
    timezone: undefined,
    referralCode: undefined,
    inviteCode: undefined,
  });
  if (user === "taken") throw new Error(`${email} has an account already.`);
  return signIn(ctx, user);
}

async function makeUser(
  deps: Deps,
  clientFor: TestApi["clientFor"],
  { plan, name = "Ada" }: { plan?: PlanType; name?: string },
): Promise<TestUser> {
  made += 1;
  const email = `student${made}@example.org`;
  const { user, token } = deps.mailer.isConfigured
    ? await clientFor().auth.register({ name, email, password: PASSWORD })
    : await enterNewAccount(deps, { name, email });
  if (plan) await deps.store.collection(users).patch({ _id: user._id }, { set: { "plan.type": plan } });
  return { client: clientFor(token), userId: user._id, email, token };
}
