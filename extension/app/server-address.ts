import { words } from "#extension/words/words.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The origin of an entered address, or why it is invalid. Tokens are sent unencrypted only to this machine. */
export function readServerAddress(text: string): { origin: string } | { problem: string } {
  const trimmed = text.trim();
  const withScheme = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === "" || !URL.canParse(withScheme)) return { problem: words.server_not_address };
  const url = new URL(withScheme);
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) return { problem: words.server_not_safe };
  return { origin: url.origin };
}

/** Undefined if Lamplight answers at this origin, otherwise the problem. */
export async function checkServer(origin: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${origin}/v1/openapi.json`, { credentials: "omit" });
    const apiDocument = answer.ok ? ((await answer.json()) as { info?: { title?: string } }) : {};
    return apiDocument.info?.title === "Lamplight" ? undefined : words.server_no_answer;
  } catch {
    return words.server_no_answer;
  }
}
