import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storedData } from "#shared/marketing/stored-data.ts";
import { storedInBrowser } from "#shared/marketing/stored-in-browser.ts";
import { retentionDays } from "#shared/retention.ts";
import { storedTable } from "#webapp/marketing/site/stored-table.ts";

interface SourceFile {
  path: string;
  text: string;
}

const listFiles = (folder: string): SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|tsx|js)$/.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));

const api = listFiles("api");

/** The names of all collections in the API's sources; the types of their documents may be of any form. */
const listCollections = (): string[] =>
  api.flatMap(({ text }) =>
    [...text.matchAll(/CollectionSpec<[^=]*?> = \{\s*name: "(\w+)"/g)].map(([, name = ""]) => name),
  );

test("the privacy page names every stored collection exactly once", () => {
  const named = storedData.flatMap(({ collections }) => collections);
  const stored = listCollections();
  expect(stored.length).toBeGreaterThan(90);
  expect(stored.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !stored.includes(name))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

/** The privacy page's text about a collection, in English and German. */
function statementsOn(collection: string): string[] {
  const row = storedData.find(({ collections }) => collections.includes(collection));
  return [row?.en.join(" ") ?? "", row?.de.join(" ") ?? ""];
}

test("the privacy page names the days after which the server removes data", () => {
  const kinds: Readonly<Record<keyof typeof retentionDays, readonly string[]>> = {
    deletedItems: ["components", "files", "folders", "annotations", "podcasts", "research_sessions"],
    deletedAccount: ["users", "pages", "threads"],
    versions: ["component_history"],
    youtubeTranscripts: ["transcripts"],
    unfinishedUploads: ["uploads"],
    sourceTexts: ["generation_texts"],
    spokenLines: ["podcast_parts", "podcast_segments"],
    mailedAddressLinks: ["mail_links"],
    appliedRequests: ["sync_requests"],
    endedJobs: ["jobs", "job_events"],
    paymentEvents: ["payment_events", "failed_payment_events"],
    prompts: ["ai_prompts"],
    analyticsEvents: ["analytics_events"],
    figureLedger: ["figure_ledger"],
    generatedCards: ["generated_cards"],
    cardOutcomes: ["card_outcomes"],
  };
  for (const [kind, collections] of Object.entries(kinds))
    for (const text of collections.flatMap(statementsOn))
      expect(text).toMatch(
        new RegExp(`\\b${retentionDays[kind as keyof typeof retentionDays]} (?:more |weitere )?(?:days|Tage)\\b`),
      );
});

test("the server takes every time of removal from the numbers that the privacy page names", () => {
  const definitions = api.flatMap(({ path, text }) =>
    [...text.matchAll(/const \w*RETENTION\w* = [^;]+;/g)].map(([definition]) => `${path}: ${definition}`),
  );
  expect(definitions.length).toBeGreaterThan(8);
  expect(definitions.filter((definition) => !/retention(?:Ms|Days)/.test(definition))).toEqual([]);
});

const CALLS =
  /(?:\b(?:readLocal|writeLocal|removeLocal|readStored)|(?:local|session)Storage\.(?:get|set|remove)Item|\b(?:openDB|deleteDB)(?:<\w+>)?|caches\.open|openDatabase<\w+>)\(\s*(?:\{\s*name: )?([^\s,()]+)/g;
/** Files whose functions take the key from their callers, and what runs in the websites that students build. */
const WRAPPERS = /local-storage\.ts$|open-database\.ts$|^shared\/website\/kit\//;
const COOKIE = /(?:document\.cookie = `\$\{|cookies\.set\()(\w+)/g;

/** The text with which a key begins: a text, or the definition of its name in this file or an exported one. */
function resolveKey(key: string, file: SourceFile, all: readonly SourceFile[], depth = 0): string | undefined {
  const literal = /^["'`]([\w:-]+)/.exec(key)?.[1];
  if (literal !== undefined || depth > 4) return literal;
  const name = key
    .replace(/^this\.#/, "")
    .replace(/^`?\$\{/, "")
    .match(/^\w+/)?.[0];
  if (name === undefined) return undefined;
  const definition = new RegExp(
    `(?:(?:const|var) ${name} =(?: \\([^)]*\\)(?:: \\w+)? =>)?|function ${name}\\([^{]*\\{[^}]*? :)\\s*([^\\s;(]+)`,
  );
  const own = definition.exec(file.text)?.[1];
  const exported = new RegExp(`export const ${name} = ([^\\s;]+)`);
  const value = own ?? all.map(({ text }) => exported.exec(text)?.[1]).find((found) => found !== undefined);
  return value === undefined ? undefined : resolveKey(value, file, all, depth + 1);
}

test("the privacy page names every key, database, cache and cookie that the web app uses in a browser", () => {
  const files = [...listFiles("webapp"), ...listFiles("shared")].filter(({ path }) => !WRAPPERS.test(path));
  const uses = [...files, ...api].flatMap((file) => {
    const calls = file.path.startsWith("api") ? [] : [...file.text.matchAll(CALLS)];
    return [...calls, ...file.text.matchAll(COOKIE)].flatMap(([, key = ""]) =>
      // The parameter of the function in the script that runs first.
      key === "name" || key === "name:" ? [] : [{ path: file.path, key, name: resolveKey(key, file, files) }],
    );
  });
  expect(uses.filter(({ name }) => name === undefined)).toEqual([]);
  const used = new Set(uses.map(({ name = "" }) => name));
  const named = storedInBrowser.flatMap(({ keys }) => keys);
  expect([...used].toSorted()).toEqual(named.toSorted());
});

test("the table says where data is stored, in both languages", () => {
  expect(storedTable("en")).toContain("<tr><th>What</th><th>Where</th><th>How long</th></tr>");
  expect(storedTable("en")).toContain("<td>A cookie that keeps you signed in</td><td>This browser</td>");
  expect(storedTable("de")).toContain("<td>Deine Einstellungen</td><td>Server</td>");
  expect(storedTable("de")).toContain("<td>Ein Cookie, das dich angemeldet hält</td><td>Dieser Browser</td>");
});
