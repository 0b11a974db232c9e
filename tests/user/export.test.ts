import { glob, readFile } from "node:fs/promises";
import { unzipSync, zipSync, strFromU8, strToU8 } from "fflate";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { EXPORTED_COLLECTIONS } from "#api/user/exported-collections.ts";
import { Failure } from "#shared/contract/failure.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";
import { aPicture } from "#tests/kit/files.ts";
import { runResearch } from "#tests/kit/research.ts";

const naughty = [
  "ا ب ت",
  "Z̸̡a̵l̷g̶o̸",
  "👩‍👩‍👧‍👦",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "\u202Etxet",
  "$OWNER",
  "a".repeat(300),
];

const aCapture = (pageId: string, componentId: string) => ({
  _id: ulid(),
  kind: "card" as const,
  address: "https://example.org/genes",
  title: "Genes",
  author: null,
  capturedAt: 1_767_000_000_000,
  locator: { quote: "a codon" },
  pageId,
  componentId,
  cardId: "codon",
});

async function fill(user: TestUser): Promise<void> {
  for (const title of naughty) await aText(user, await aPage(user, title), `What ${title} holds.`);
  const pageId = await aPage(user, "Genes");
  const deckId = await aDeck(user, pageId, [aCard("codon"), aCard("site")]);
  const given = { grade: 3, reviewedAt: 1_767_000_000_000, durationMs: 900, mode: "study" } as const;
  await send(user, aChange("review_add", deckId, { _id: ulid(), componentId: deckId, cardId: "codon", ...given }));
  await aPicture(user, pageId);
  await user.client.capture.saveCaptures({ accountId: user.userId, captures: [aCapture(pageId, deckId)] });
  await user.client.user.savePreferences({ conversation: { max_words: 99 } });
}

const exported = async (user: TestUser) =>
  unzipSync(new Uint8Array(await (await user.client.user.exportAccount({})).arrayBuffer()));

interface Manifest {
  documents: Record<string, { count: number; digest: string }>;
}
const manifestOf = (files: Record<string, Uint8Array>) =>
  JSON.parse(strFromU8(files["lamplight.json"] ?? new Uint8Array())) as Manifest;

const importing = (user: TestUser, files: Record<string, Uint8Array>) =>
  user.client.user.importAccount({}, [
    { field: "file", file: new Blob([new Uint8Array(zipSync(files, { level: 1 }))]), name: "lamplight.zip" },
  ]);

test("an export restores identical content in a fresh instance, compared by digest; importing again changes nothing", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const ada = await here.newUser();
  await fill(ada);
  const files = await exported(ada);
  const again = await there.newUser();
  const report = await importing(again, files);
  expect(report).toMatchObject({ refused: 0, already: 0, isWhole: true, files: 1 });
  expect(manifestOf(await exported(again)).documents).toEqual(manifestOf(files).documents);
  const { content } = await again.client.pages.getContent({});
  expect(content.pages.map(({ title }) => title).toSorted()).toEqual([...naughty, "Genes"].toSorted());
  expect((await again.client.user.getPreferences({})).conversation.max_words).toBe(99);
  // The web address from which a card was captured is restored too.
  expect((await again.client.capture.listCaptures({ after: 0 })).captures).toMatchObject([
    { address: "https://example.org/genes", cardId: "codon" },
  ]);
  expect(await importing(again, files)).toMatchObject({ documents: 0, refused: 0, isWhole: true });
});

test("streak and statistics are restored from the exported answers", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const [ada, again] = [await here.newUser(), await there.newUser()];
  const DAY_MS = 86_400_000;
  const studied = async (user: TestUser, now: number, ago: readonly number[]) => {
    const deckId = await aDeck(user, await aPage(user, "Genes"), [aCard("codon")]);
    for (const days of ago) {
      const given = { grade: 3, reviewedAt: now - days * DAY_MS, durationMs: 900, mode: "study" } as const;
      await send(user, aChange("review_add", deckId, { _id: ulid(), componentId: deckId, cardId: "codon", ...given }));
    }
  };
  await studied(ada, here.clock.now(), [0, 1, 2, 9]);
  // The account that imports the file already has study days of its own.
  await studied(again, there.clock.now(), [5]);
  there.clock.advance(here.clock.now() - there.clock.now());
  await importing(again, await exported(ada));
  expect(await again.client.user.getStreak({})).toMatchObject({ currentStreak: 3, longestStreak: 3 });
  const { days } = await again.client.study.getStatistics({});
  expect(days.reduce((sum, { reviews }) => sum + reviews, 0)).toBe(5);
});

/** Data that an export leaves out: unfinished work, credentials, counters, data for the operator, and derived data. */
const LEFT_OUT =
  "payers used_codes billing_notes subscription_times calendar_feeds jobs answer_slots research_slots uploads sync_requests generation_texts imports optimizer_queue connections extensions pending_oauth_flows ai_prompts usages first_limits storage_usage limit_locks study_days referral_credits feedback ratings figure_ledger generated_cards card_outcomes analytics_events document_analyses document_passages document_readings thumbnails podcast_parts podcast_segments index_postings index_shelves index_sources index_vectors".split(
    " ",
  );

test("the export contains all data of the account or lists what it leaves out", async () => {
  const found = new Set<string>();
  for await (const path of glob("api/**/*.ts"))
    for (const [, name = ""] of (await readFile(path, "utf8")).matchAll(
      /name: "([a-z_]+)",[^}]{0,200}?shardKey: "ownerId"/g,
    ))
      found.add(name);
  expect([...found].filter((name) => ![...EXPORTED_COLLECTIONS, ...LEFT_OUT].includes(name))).toEqual([]);
  expect(EXPORTED_COLLECTIONS.filter((name) => !found.has(name))).toEqual([]);
});

test("a research session is exported with its snapshots, and can be read, checked and continued where it is imported", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const [ada, again] = [await here.newUser(), await there.newUser()];
  const fact = "The ribosome reads messenger RNA one codon at a time.";
  await aText(ada, await aPage(ada, "Proteins"), fact);
  const { session } = await runResearch(ada.client);
  const id = session._id;
  await ada.client.research.changeConversation({ id, notes: "Ask about transfer RNA." });
  const section = session.sections.find(({ status }) => status === "written")?.id ?? "";
  await ada.client.research.changeConversation({ id, edit: { section, text: "My own words. [^1]" } });
  const before = await ada.client.research.getConversation({ id });
  await importing(again, await exported(ada));
  const { conversation } = await again.client.research.getConversation({ id });
  const times = { last_opened: 0, user_id: "" };
  expect({ ...conversation, ...times }).toEqual({ ...before.conversation, ...times });
  expect(conversation.user_id).toBe(again.userId);
  expect((await again.client.research.readSnapshot({ id, n: 1 })).passages[0]?.text).toBe(fact);
  const { sources } = await again.client.research.recheckSources({ id });
  expect(sources.map(({ recheck }) => recheck?.state)).toEqual(["same"]);
  const next = await runResearch(again.client, { conversationId: id, userMessage: "What does messenger RNA hold?" });
  expect(next.session.canvas).toContain(fact);
});

test("an export contains every note under a name of its own, on file systems that ignore case, too", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const titles = ["Genes", "Genes 2", "Genes", "genes"];
  for (const [at, title] of titles.entries()) await aText(ada, await aPage(ada, title), `Text ${at}.`);
  const names = Object.keys(await exported(ada)).filter((name) => name.startsWith("notes/"));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(titles.length);
});

test("an export contains the notes as Markdown and no secrets", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  await fill(ada);
  const files = await exported(ada);
  expect(strFromU8(files["notes/Genes.md"] ?? new Uint8Array())).toContain("# Genes");
  const everything = Object.values(files)
    .map((bytes) => strFromU8(bytes, true))
    .join("");
  expect(everything).not.toContain("argon2");
  expect(everything).not.toContain(ada.token);
  expect(Object.keys(files).filter((name) => /token|connection|identit|secret/.test(name))).toEqual([]);
});

test("an import can't take over another account's data or files", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  await fill(ada);
  const files = await exported(ada);
  const withoutFiles = Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith("files/")));
  const report = await importing(eve, withoutFiles);
  expect(report.isWhole).toBe(false);
  expect(report.refused).toBeGreaterThan(0);
  expect((await eve.client.pages.getContent({})).content.pages).toEqual([]);
  expect((await ada.client.pages.getContent({})).content.pages).toHaveLength(naughty.length + 1);
});

test("files that don't match their hash are refused, and the rest is imported", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const ada = await here.newUser();
  await fill(ada);
  const files = await exported(ada);
  const name = Object.keys(files).find((path) => path.startsWith("files/")) ?? "";
  const again = await there.newUser();
  const report = await importing(again, { ...files, [name]: strToU8("something else") });
  expect(report).toMatchObject({ files: 0, isWhole: false });
  expect((await again.client.pages.getContent({})).content.pages).toHaveLength(naughty.length + 1);
});

test("texts of websites count against the quota with their own size, whatever size an archive states", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const ada = await here.newUser();
  const { _id: id } = await ada.client.website.createProject({ name: "Cells" });
  await ada.client.website.putSiteFile({ id, path: "/src/a.tsx", text: "// a\n".repeat(100) });
  const { usedBytes } = await ada.client.user.getStorage({});
  expect(usedBytes).toBeGreaterThan(500);
  const files = await exported(ada);
  const name = "documents/website_texts.jsonl";
  const changed = strFromU8(files[name] ?? new Uint8Array()).replaceAll(/"sizeBytes":\d+/g, '"sizeBytes":-1000000');
  const [again, eve] = [await there.newUser(), await there.newUser()];
  expect(await importing(again, files)).toMatchObject({ isWhole: true });
  await importing(eve, { ...files, [name]: strToU8(changed) });
  for (const { client, userId } of [again, eve]) {
    expect((await client.user.getStorage({})).usedBytes).toBe(usedBytes);
    expect(await sumStoredBytes(ownedBy(there.deps.store, userId))).toBe(usedBytes);
  }
});

test("an import during which the store fails is not reported as done, and can be repeated", async () => {
  const [here, there] = [await startApi(), await startApi()];
  const ada = await here.newUser();
  await fill(ada);
  const files = await exported(ada);
  const again = await there.newUser();
  let isDown = true;
  beforeStoreCall(there.deps.store, (call) => {
    if (isDown && call === "components.insert") throw new Failure("store_unavailable", "store_unavailable");
  });
  await expect(importing(again, files)).rejects.toMatchObject({ code: "store_unavailable" });
  isDown = false;
  expect(await importing(again, files)).toMatchObject({ refused: 0, isWhole: true });
});

test.each([
  ["a file that isn't a zip", strToU8("not a zip")],
  ["a zip without a manifest", zipSync({ "a.txt": strToU8("a") })],
  ["an unrelated manifest", zipSync({ "lamplight.json": strToU8('{"kind":"other"}') })],
  [
    "a bomb",
    zipSync({ "lamplight.json": strToU8("{}"), "documents/pages.jsonl": new Uint8Array(40_000_000) }, { level: 9 }),
  ],
])("refuses %s with a message", async (_name, bytes) => {
  const api = await startApi();
  const ada = await api.newUser();
  await expect(
    ada.client.user.importAccount({}, [{ field: "file", file: new Blob([new Uint8Array(bytes)]), name: "x.zip" }]),
  ).rejects.toMatchObject({ code: "invalid_file" });
});

test("an archive of version 1 is imported with all its data, under the names of today", async () => {
  const api = await startApi();
  const again = await api.newUser();
  const bytes = await readFile("tests/store/data-folders/version-2.zip");
  const files = unzipSync(new Uint8Array(bytes));
  expect(manifestOf(files)).toMatchObject({ version: 1 });
  expect(await importing(again, files)).toMatchObject({ refused: 0, already: 0, isWhole: true, files: 1 });
  const recorded = JSON.parse(await readFile("tests/store/data-folders/version-2.json", "utf8")) as { deck: string };
  api.clock.advance(365 * 86_400_000);
  const { decks } = await again.client.study.getDue({});
  expect(decks).toMatchObject([{ componentId: recorded.deck, due: 1, fresh: 1 }]);
  expect(await importing(again, files)).toMatchObject({ documents: 0, refused: 0, isWhole: true });
  const written = await exported(again);
  expect(Object.keys(written).filter((name) => name.startsWith("documents/")).length).toBe(EXPORTED_COLLECTIONS.length);
  expect(manifestOf(written)).toMatchObject({ version: 2 });
});
