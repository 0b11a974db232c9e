import { ulid } from "ulid";
import { expect, test } from "vitest";
import type { FolderItem } from "#shared/library/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";

const item = (item_id: string, item_type: FolderItem["item_type"] = "page"): FolderItem => ({
  item_id,
  item_type,
  created_at: 1,
});

async function aFolder(user: TestUser, title: string, items: FolderItem[] = []): Promise<string> {
  const id = ulid();
  await send(
    user,
    aChange("folder_create", id, { title, color: "GREEN", createdAt: 1 }),
    aChange("folder_update", id, { items }),
  );
  return id;
}

const pin = (user: TestUser, itemId: string) => user.client.library.addFavorite({ itemId, itemType: "page" });
const foldersOf = async ({ client }: TestUser) => (await client.library.listFolders({})).folders;
const pinsOf = async ({ client }: TestUser) => (await client.library.getFavorites({})).favorites;

test("folders are listed with their items in order, for their owner only", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const pages = [await aPage(ada, "Cells"), await aPage(ada, "Genes")];
  const id = await aFolder(
    ada,
    "Biology",
    pages.map((page) => item(page)),
  );
  expect(await foldersOf(ada)).toMatchObject([
    { _id: id, title: "Biology", color: "GREEN", user_id: ada.userId, is_archived: false, items: [{}, {}] },
  ]);
  expect(await foldersOf(eve)).toEqual([]);
  await expect(eve.client.library.nameFolder({ folderId: id })).rejects.toMatchObject({ code: "not_found" });
});

test("a folder can't be moved into itself at any depth, and nothing changes", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const inner = await aFolder(ada, "Inner");
  const middle = await aFolder(ada, "Middle", [item(inner, "folder")]);
  const outer = await aFolder(ada, "Outer", [item(middle, "folder")]);
  for (const [folder, lies] of [
    [inner, outer],
    [inner, inner],
    [middle, outer],
  ] as const) {
    const change = aChange("folder_update", folder, { items: [item(lies, "folder")] });
    const answer = await ada.client.sync.sendChanges({ payload: [change] });
    expect(answer.failed).toMatchObject([{ code: "bad_input", retriable: false }]);
  }
  const itemsByFolder = new Map(
    (await foldersOf(ada)).map((folder) => [folder._id, folder.items.map((i) => i.item_id)]),
  );
  expect([itemsByFolder.get(inner), itemsByFolder.get(middle), itemsByFolder.get(outer)]).toEqual([
    [],
    [inner],
    [middle],
  ]);
});

test("two devices that nest two folders into each other at once create no cycle", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await aFolder(ada, "One"), await aFolder(ada, "Two")];
    const put = (into: string, what: string) =>
      ada.client.sync.sendChanges({ payload: [aChange("folder_update", into, { items: [item(what, "folder")] })] });
    const answers = await Promise.all([put(one, two), put(two, one)]);
    expect(answers.flatMap(({ failed }) => failed).length).toBeGreaterThan(0);
    const itemsByFolder = new Map(
      (await foldersOf(ada)).map((folder) => [folder._id, folder.items.map((i) => i.item_id)]),
    );
    expect([itemsByFolder.get(one), itemsByFolder.get(two)].filter((items) => items?.length === 1).length).toBeLessThan(
      2,
    );
  }
});

test("deleted pages, decks and folders leave their folders and pins", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const [remaining, deleted] = [await aPage(ada, "Kept"), await aPage(ada, "Gone")];
  const deck = await aDeck(ada, remaining, [aCard("a")]);
  const sub = await aFolder(ada, "Sub");
  const id = await aFolder(ada, "Biology", [item(remaining), item(deleted), item(sub, "folder")]);
  await ada.client.library.addFavorite({ itemId: deleted, itemType: "page" });
  await ada.client.library.addFavorite({ itemId: deck, itemType: "component" });
  await send(
    ada,
    aChange("page_update", deleted, { archived: true }),
    aChange("component_delete", deck, {}),
    aChange("folder_update", sub, { is_archived: true }),
  );
  const biology = (await foldersOf(ada)).find((folder) => folder._id === id);
  expect(biology?.items.map((i) => i.item_id)).toEqual([remaining]);
  expect(await pinsOf(ada)).toEqual([]);
  await send(ada, aChange("page_update", deleted, { archived: false }));
  expect(await pinsOf(ada)).toEqual([]);
});

test("a folder is named after its contents once, and again when forced", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pages = [await aPage(ada, "Lecture 1: Plant cells"), await aPage(ada, "Plant cells, exercises")];
  const folderId = await aFolder(
    ada,
    "",
    pages.map((page) => item(page)),
  );
  expect(await ada.client.library.nameFolder({ folderId })).toBe("Plant Cells");
  await send(ada, aChange("folder_update", folderId, { title: "Mine" }));
  expect(await ada.client.library.nameFolder({ folderId })).toBe("Mine");
  expect(await ada.client.library.nameFolder({ folderId, force: true })).toBe("Plant Cells");
  const typed = await aFolder(ada, "Term one", [item(pages[0] ?? "")]);
  expect(await ada.client.library.nameFolder({ folderId: typed })).toBe("Term one");
  const empty = await aFolder(ada, "");
  await expect(ada.client.library.nameFolder({ folderId: empty })).rejects.toMatchObject({ code: "bad_input" });
});

test("pins keep the order they were made in until sorted, and show current titles", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada, "Cells");
  const deck = await aDeck(ada, page, [aCard("a")]);
  const { favorite } = await ada.client.library.addFavorite({ itemId: page, itemType: "page" });
  expect(favorite).toMatchObject({ itemId: page, userId: ada.userId, data: { title: "Cells", emoji: null } });
  api.clock.advance(1000);
  await ada.client.library.addFavorite({ itemId: deck, itemType: "component" });
  await send(ada, aChange("page_update", page, { title: "The cell" }));
  expect(await pinsOf(ada)).toMatchObject([
    { data: { title: "The cell" } },
    { data: { componentType: "flash_cards", title: "Genes", pageId: page } },
  ]);
  await ada.client.library.sortFavorites({ itemIds: [deck, page] });
  expect((await pinsOf(ada)).map(({ itemId }) => itemId)).toEqual([deck, page]);
});

test("pins that are not named when pins are sorted come last, in the order they had", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pins = await Promise.all(["a", "b", "c", "d"].map((title) => aPage(ada, title)));
  for (const itemId of pins) await ada.client.library.addFavorite({ itemId, itemType: "page" });
  const [a = "", b = "", c = "", d = ""] = pins;
  await ada.client.library.sortFavorites({ itemIds: [b, a, c, d] });
  await ada.client.library.sortFavorites({ itemIds: [d, c] });
  expect((await pinsOf(ada)).map(({ itemId }) => itemId)).toEqual([d, c, b, a]);
});

test("pinning twice creates one pin, and unpinning something unpinned changes nothing", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const page = await aPage(ada, "Cells");
  await Promise.all([1, 2, 3].map(() => ada.client.library.addFavorite({ itemId: page, itemType: "page" })));
  expect(await pinsOf(ada)).toHaveLength(1);
  await ada.client.library.removeFavorite({ itemId: page });
  await ada.client.library.removeFavorite({ itemId: page });
  expect(await pinsOf(ada)).toEqual([]);
});

test("another account's, missing and deleted items can't be pinned, with the same answer", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const page = await aPage(ada, "Cells");
  const refusal = await pin(eve, page).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "not_found" });
  const { message } = refusal as Error;
  await expect(pin(eve, ulid())).rejects.toMatchObject({ code: "not_found", message });
  await send(ada, aChange("page_update", page, { archived: true }));
  await expect(pin(ada, page)).rejects.toMatchObject({ code: "not_found" });
  await eve.client.library.removeFavorite({ itemId: page });
  expect(await pinsOf(eve)).toEqual([]);
});
