import { ulid } from "ulid";
import { expect, test } from "vitest";
import { listComponents } from "#api/pages/sources.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { readInSlices } from "#api/store/read-in-slices.ts";
import { iterateDocs } from "#api/user/exported-collections.ts";
import { startApi } from "#tests/kit/api.ts";
import { aChange, aPage, send, textComponent } from "./changes.ts";

const COMPONENTS = 1_500;

async function aLongPage() {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const ids = Array.from({ length: COMPONENTS }, () => ulid());
  const text = "A paragraph of a lecture. ".repeat(200);
  await send(ada, ...ids.map((id) => aChange("component_create", id, textComponent(id, pageId, text))));
  return { own: ownedBy(api.deps.store, ada.userId), ada, pageId, ids };
}

/** Runs work; resolves to the number of times that other work ran meanwhile. */
async function countTurns(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

test("a long page is read completely and in order while other requests run", async () => {
  const { own, ada, pageId, ids } = await aLongPage();
  const turns = await countTurns(async () => {
    const components = await listComponents(own, pageId);
    expect(components.map(({ _id }) => _id)).toEqual(ids);
  });
  // A fast machine needs only a few slices; reading without slices would let no other work run.
  expect(turns).toBeGreaterThan(0);
  expect((await ada.client.pages.getPage({ id: pageId })).components.map(({ _id }) => _id)).toEqual(ids);
  expect((await ada.client.pages.getContent({})).content.components).toHaveLength(COMPONENTS);
});

test("an export reads every document ordered by id while other requests run", async () => {
  const { own, ids } = await aLongPage();
  const read: string[] = [];
  const turns = await countTurns(async () => {
    for await (const doc of iterateDocs(own, "components")) read.push(doc._id);
  });
  expect(read).toEqual(ids.toSorted());
  // A fast machine needs only a few slices; reading without slices would let no other work run.
  expect(turns).toBeGreaterThan(0);
});

test("missing and non-matching documents are skipped, and a reader may stop early", async () => {
  const { own, ids } = await aLongPage();
  const collection = own.in<{ _id: string; ownerId: string }>({
    name: "components",
    shardKey: "ownerId",
    indexes: [],
  });
  const wanted = [ids[7] ?? "", "missing", ids[3] ?? ""];
  const read: string[] = [];
  for await (const { _id } of readInSlices(collection, wanted, { first: 1, fields: ["_id"] })) read.push(_id);
  expect(read).toEqual([ids[7], ids[3]]);
  for await (const { _id } of readInSlices(collection, ids)) {
    expect(_id).toBe(ids[0]);
    break;
  }
});
