import { findIdentifier, type LookupKind, type Reference } from "#shared/marketing/references.ts";

export type FoundSource = Omit<Reference, "id">;
export type LookupProblem = "wrong" | "not_found" | "limit" | "failed";

const problems: Readonly<Record<number, LookupProblem>> = {
  400: "wrong",
  404: "not_found",
  429: "limit",
  501: "wrong",
};
const TIMEOUT_MS = 30_000;

/** The kinds of sources that this server can look up; undefined if the request failed. */
export async function fetchLookupKinds(): Promise<LookupKind[] | undefined> {
  try {
    const response = await fetch("/v1/references/lookups");
    return response.ok ? ((await response.json()) as { kinds: LookupKind[] }).kinds : undefined;
  } catch {
    return undefined;
  }
}

const pad = (part: number) => String(part).padStart(2, "0");
const today = () => {
  const now = new Date();
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
};

/** Looks up the details of a source. Resolves to the problem if that fails. */
export async function lookUpReference(
  identifier: string,
  kinds: readonly LookupKind[],
  stopped: AbortSignal,
): Promise<FoundSource | LookupProblem> {
  const found = findIdentifier(identifier);
  if (!found || !kinds.includes(found.kind)) return "wrong";
  try {
    const response = await fetch("/v1/references/lookup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identifier }),
      signal: AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) return problems[response.status] ?? "failed";
    const { reference } = (await response.json()) as { reference: FoundSource };
    return found.kind === "url" ? { ...reference, accessed: today() } : reference;
  } catch {
    return "failed";
  }
}
