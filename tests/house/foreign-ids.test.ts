import { strFromU8, unzipSync } from "fflate";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { syncData, type SyncType } from "#shared/sync/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { connectExtension } from "#tests/kit/connected-extension.ts";
import { ownOfEach } from "#tests/kit/owned-things.ts";
import { placeAt } from "#tests/kit/plain-input.ts";
import { aCard, aChange, anAnnotation, deckContent, textComponent, textContent } from "#tests/store/changes.ts";
import { callRow, contractRows } from "./call-row.ts";
import { isClientId, listTargets, MISSING, toValue, type Target } from "./id-positions.ts";

// Sends one id of another account among the caller's own ids, because an endpoint may check only the first id.

const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });
const owner = await api.newUser({ plan: "ULTIMATE" });
const stranger = await api.newUser({ plan: "ULTIMATE" });
const owned = await ownOfEach(owner);
const own = await ownOfEach(stranger, "Mine");
const before = await readDigests(owner);
const tokens = {
  session: stranger.token,
  temp: (await stranger.client.auth.getUser({})).tempToken,
  extension: await connectExtension(api, stranger),
};
let attempts = 0;

async function exportFiles({ client }: TestUser): Promise<Record<string, Uint8Array>> {
  return unzipSync(new Uint8Array(await (await client.user.exportAccount({})).arrayBuffer()));
}

/** Count and digest of every collection of an account. */
async function readDigests(user: TestUser): Promise<unknown> {
  const files = await exportFiles(user);
  return (JSON.parse(strFromU8(files["lamplight.json"] ?? new Uint8Array())) as { documents: unknown }).documents;
}

const returnsPrivateData = async (user: TestUser): Promise<boolean> =>
  Object.values(await exportFiles(user)).some((bytes) => Buffer.from(bytes).includes("Private"));

const several = contractRows.filter(({ row }) => row.access === "user" && listTargets(row, own).length > 1);

async function sendWithId(row: Endpoint, { path, input }: Target, id: string, token: string) {
  const sent = placeAt(input, path, toValue(path, id)) as object;
  const { status, text } = await callRow(api.origin, { row, input: sent, missing: MISSING, token });
  return { status, isPrivate: text.includes("Private") };
}

test.each(several)("$name answers another account's id beside one's own as a missing one", async ({ row }) => {
  for (const target of listTargets(row, own).filter(({ path }) => !isClientId(row, path)))
    for (const [kind, token] of Object.entries(tokens)) {
      const missing = await sendWithId(row, target, ulid(), token);
      for (const [thing, id] of Object.entries(owned)) {
        attempts += 1;
        expect([kind, target.path, thing, await sendWithId(row, target, id, token)]).toEqual([
          kind,
          target.path,
          thing,
          { ...missing, isPrivate: false },
        ]);
      }
    }
});

type Ids = Readonly<Record<string, string>>;

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const pixel = { name: "a.png", type: "image/png", size: 70, base64: PIXEL };

interface Change {
  type: SyncType;
  /** The kind of thing at each position of an id; "" for an id that the client makes up. */
  at: Ids;
  data: (ids: Ids) => object;
}

const aReview = { grade: 1, reviewedAt: 1, durationMs: 1, mode: "study" };

/** Changes that create something come last, because the other changes would find it. */
const changes: readonly Change[] = [
  { type: "page_update", at: { resourceId: "page" }, data: () => ({ title: "Mine" }) },
  {
    type: "page_component_sort",
    at: { resourceId: "page", moved: "text" },
    data: ({ moved }) => ({ componentIds: [moved] }),
  },
  { type: "component_content_update", at: { resourceId: "text" }, data: () => ({ newContent: textContent("Mine") }) },
  {
    type: "component_content_update",
    at: { resourceId: "deck", card: "card" },
    data: ({ card = "" }) => ({ newContent: deckContent([aCard(card)]) }),
  },
  {
    type: "card_standing",
    at: { resourceId: "deck", card: "card" },
    data: ({ card }) => ({ cards: [{ cardId: card, isSuspended: true }] }),
  },
  {
    type: "card_move",
    at: { resourceId: "deck", card: "card", to: "deck" },
    data: ({ card, to }) => ({ cardIds: [card], toComponentId: to }),
  },
  {
    type: "component_move",
    at: { resourceId: "text", from: "page", to: "page" },
    data: ({ from, to }) => ({ fromPageId: from, toPageId: to }),
  },
  {
    type: "folder_update",
    at: { resourceId: "folder", item: "page", removed: "page" },
    data: ({ item, removed }) => ({
      items: [{ item_id: item, item_type: "page", created_at: 1 }],
      removedItemIds: [removed],
    }),
  },
  {
    type: "review_add",
    at: { resourceId: "deck", review: "", card: "card", deck: "deck" },
    data: ({ review, card, deck }) => ({ _id: review, cardId: card, componentId: deck, ...aReview }),
  },
  { type: "review_undo", at: { resourceId: "deck", review: "review" }, data: ({ review }) => ({ reviewId: review }) },
  { type: "annotation_delete", at: { resourceId: "annotation" }, data: () => ({}) },
  { type: "folder_delete", at: { resourceId: "folder" }, data: () => ({}) },
  { type: "component_delete", at: { resourceId: "", pageId: "page" }, data: ({ pageId }) => ({ pageId }) },
  { type: "page_delete", at: { resourceId: "page" }, data: () => ({}) },
  {
    type: "annotation_put",
    at: { resourceId: "", component: "picture" },
    data: ({ resourceId = "", component = "" }) => ({ annotation: anAnnotation(resourceId, component) }),
  },
  {
    type: "component_image_upload",
    at: { resourceId: "", pageId: "page" },
    data: ({ pageId }) => ({ pageId, file: pixel }),
  },
  {
    type: "component_video_upload",
    at: { resourceId: "", pageId: "page" },
    data: ({ pageId }) => ({ pageId, file: { ...pixel, type: "video/mp4" } }),
  },
  { type: "folder_create", at: { resourceId: "" }, data: () => ({ title: "Mine", createdAt: 1 }) },
  {
    type: "component_create",
    at: { resourceId: "", pageId: "page" },
    data: ({ resourceId = "", pageId = "" }) => textComponent(resourceId, pageId, "Mine"),
  },
  {
    type: "page_create",
    at: { resourceId: "", parent: "page" },
    data: ({ parent }) => ({ title: "Mine", parent, createdAt: 1 }),
  },
];

test("the list has every kind of change", () => {
  expect(new Set(changes.map(({ type }) => type))).toEqual(new Set(Object.keys(syncData)));
});

/** The outcome of each change, through the call that a token of this kind may use. */
async function sendAll(kind: string, requests: ReturnType<typeof aChange>[]): Promise<string[]> {
  const { sync } = api.clientFor(tokens[kind as keyof typeof tokens]);
  const batches = requests.map((request) => ({ resourceId: request.resourceId, requests: [request] }));
  const answer =
    kind === "extension"
      ? await sync.sendBatches({ accountId: stranger.userId, batches })
      : await sync.sendChanges({ payload: requests });
  return requests.map(({ id }) => answer.failed.find((failure) => failure.id === id)?.reason ?? "applied");
}

function changeWith({ type, at, data }: Change, position: string, foreign: string) {
  const ids: Ids = Object.fromEntries(
    Object.entries(at).map(([name, kind]) => [name, name === position ? foreign : (own[kind] ?? ulid())]),
  );
  return aChange(type, ids["resourceId"] ?? "", data(ids) as never, { baseVersion: 1 });
}

test.each(changes)("$type answers another account's id at each position as a missing one", async (change) => {
  const positions = Object.keys(change.at).filter((name) => change.at[name] !== "");
  for (const position of positions)
    for (const kind of Object.keys(tokens)) {
      const ids = [ulid(), ...Object.values(owned)];
      const [missing, ...others] = await sendAll(
        kind,
        ids.map((id) => changeWith(change, position, id)),
      );
      attempts += others.length;
      expect([position, kind, ...new Set(others)]).toEqual([position, kind, missing]);
    }
});

test("using another account's id for something new reveals nothing of that account", async () => {
  for (const { row } of several)
    for (const target of listTargets(row, own).filter(({ path }) => isClientId(row, path) && row.kind !== "stream"))
      for (const [thing, id] of Object.entries(owned)) {
        attempts += 1;
        const { status, isPrivate } = await sendWithId(row, target, id, tokens.session);
        expect([row.path, thing, isPrivate, status < 500 || status === 501]).toEqual([row.path, thing, false, true]);
      }
  for (const change of changes)
    for (const position of Object.keys(change.at).filter((name) => change.at[name] === "")) {
      const outcomes = await sendAll(
        "session",
        Object.values(owned).map((id) => changeWith(change, position, id)),
      );
      attempts += outcomes.length;
      expect([change.type, ...outcomes]).not.toContain("server_broken");
    }
});

test("none of these attempts changed the owner's data or showed any of it to the stranger", async () => {
  expect(await readDigests(owner)).toEqual(before);
  expect([await returnsPrivateData(owner), await returnsPrivateData(stranger)]).toEqual([true, false]);
  process.stdout.write(`attempts with another account's id beside one's own: ${attempts}\n`);
});
