import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TABLE = "extension/store/permissions.md";

interface Manifest {
  permissions: string[];
  optional_permissions?: string[];
  optional_host_permissions?: string[];
  host_permissions?: string[];
  content_scripts?: unknown[];
  externally_connectable?: unknown;
  web_accessible_resources?: unknown[];
  browser_specific_settings?: { gecko: { data_collection_permissions: { required: string[] } } };
}

interface Row {
  names: string[];
  /** The only browser with this permission; undefined if both have it. */
  browser: string | undefined;
  isOptional: boolean;
  why: string;
}

const text = readFileSync(TABLE, "utf8");
const quoted = (words: string) => [...words.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

const rows: Row[] = text
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, what = "", , why = ""] = line.split("|").map((cell) => cell.trim());
    const browser = /\((Chrome|Firefox)\)/.exec(what)?.[1]?.toLowerCase();
    return { names: quoted(what), browser, isOptional: what.includes("(optional)"), why };
  });

const sorted = (names: readonly string[]) => names.toSorted((a, b) => a.localeCompare(b));
const documented = (browser: string, isOptional: boolean) =>
  sorted(
    rows
      .filter((row) => row.isOptional === isOptional && (row.browser ?? browser) === browser)
      .flatMap(({ names }) => names),
  );

test("every permission in the table has a reason", () => {
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ why }) => why.length < 20)).toEqual([]);
});

test.each(["chrome", "firefox"])("the table of permissions matches the extension built for %s", (browser) => {
  const path = join("dist/extension", browser, "manifest.json");
  if (!existsSync(path)) {
    process.stdout.write(`  not built here: ${path}\n`);
    return;
  }
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  expect(documented(browser, false)).toEqual(sorted(manifest.permissions));
  const optional = [...(manifest.optional_permissions ?? []), ...(manifest.optional_host_permissions ?? [])];
  expect(documented(browser, true)).toEqual(sorted(optional));
  // The extension runs on no page by default, and other programs cannot send it messages.
  expect(manifest.host_permissions ?? []).toEqual([]);
  expect(manifest.content_scripts ?? []).toEqual([]);
  expect(manifest.web_accessible_resources ?? []).toEqual([]);
  expect(manifest.externally_connectable).toBeUndefined();
  const collected = manifest.browser_specific_settings?.gecko.data_collection_permissions.required ?? [];
  for (const kind of collected) expect(quoted(text)).toContain(kind);
});
