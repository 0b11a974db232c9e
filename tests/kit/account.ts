import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { TestUser, V1Client } from "./api.ts";

export const PASSWORD = "a lamp upon the desk";

export interface AccountDetails {
  name?: string;
  email?: string;
}

/** A client of a server process, with a token or without. */
export const clientAt = (origin: string, token?: string): V1Client =>
  createClient(v1, fetchTransport({ origin, token: () => token }));

/** An account that has finished onboarding, so that its screens open directly. */
export async function registerAccount(origin: string, who: AccountDetails = {}): Promise<TestUser> {
  const { name = "Ada", email = `${ulid().toLowerCase()}@example.org` } = who;
  const { user, token } = await clientAt(origin).auth.register({ name, email, password: PASSWORD });
  const client = clientAt(origin, token);
  await client.user.saveSettings({ onboardingComplete: true });
  return { client, userId: user._id, email, token };
}
