import { createHash, randomBytes } from "node:crypto";
import type { TestApi, TestUser } from "./api.ts";

/** Connects an extension to an account by a device code; returns its token. */
export async function connectExtension(api: TestApi, user: TestUser): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const { connections } = api.clientFor();
  const { deviceId, code } = await connections.startExtension({ name: "Chrome on Linux", challenge });
  await user.client.connections.answerExtension({ code, isAllowed: true });
  const answer = await connections.pollExtension({ deviceId, verifier });
  if (answer.state !== "connected") throw new Error(answer.state);
  return answer.token;
}
