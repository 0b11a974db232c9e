import { Failure } from "#shared/contract/failure.ts";
import { type UserDoc, users } from "#api/http/authenticate.ts";
import type { UserCtx } from "#api/http/handler.ts";

export async function requireAccount({ store }: UserCtx, id: string): Promise<UserDoc> {
  const user = await store.collection(users).get(id);
  if (!user) throw new Failure("not_found", "no_account");
  return user;
}
