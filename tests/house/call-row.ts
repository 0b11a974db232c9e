import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";

/** Every endpoint of the contract with its full name, so that new endpoints are tested automatically. */
export const contractRows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);

const toFields = (input: object) =>
  Object.entries(input).map(([key, value]): [string, string] => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);

function bodyOf(row: Endpoint, input: object): string | FormData {
  if (row.kind !== "upload") return JSON.stringify(input);
  const form = new FormData();
  for (const [key, value] of toFields(input)) form.append(key, value);
  if (row.maxFiles === 1) form.append("file", new Blob(["%PDF-1.4\n%%EOF"], { type: "application/pdf" }), "a.pdf");
  return form;
}

/** Sends an input to an endpoint without checks; `missing` fills path parameters that the input lacks. */
export async function callRow(
  origin: string,
  { row, input, missing, token }: { row: Endpoint; input: object; missing: string; token: string | undefined },
): Promise<{ status: number; text: string }> {
  const left: Record<string, unknown> = { ...input };
  const path = row.path.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = left[key] ?? missing;
    delete left[key];
    return encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value));
  });
  const isRead = row.method === "GET" || (row.method === "DELETE" && !row.hasBody);
  const query = isRead ? `?${new URLSearchParams(toFields(left)).toString()}` : "";
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = isRead ? undefined : bodyOf(row, left);
  if (typeof body === "string") headers["content-type"] = "application/json";
  const response = await fetch(origin + path + query, { method: row.method, headers, ...(body ? { body } : {}) });
  return { status: response.status, text: await response.text() };
}
