import { strFromU8, unzipSync } from "fflate";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPicture } from "#tests/kit/files.ts";
import { aCard, aChange, aDeck, aPage, aText, deckComponent, send, textComponent } from "#tests/store/changes.ts";

const taken = { code: "already_exists", status: 409, reason: "id_taken" };

test("a copy under the id of another account's page is refused and leaves nothing behind", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const hers = await aPage(ada, "Private");
  const mine = await aPage(eve, "Mine");
  await aText(eve, mine, "The cell is the unit of life.");
  await aPicture(eve, mine);
  const deckId = await aDeck(eve, mine, [aCard("a")]);
  const before = await eve.client.pages.getContent({});
  await expect(eve.client.sharing.duplicatePage({ id: mine, copyId: hers })).rejects.toMatchObject(taken);
  const type = "component_flashcards";
  await expect(eve.client.sharing.duplicateComponent({ type, id: deckId, copyId: hers })).rejects.toMatchObject(taken);
  expect(await eve.client.pages.getContent({})).toEqual(before);
  const stored = await readExport(eve);
  expect([stored.includes(mine), stored.includes(hers)]).toEqual([true, false]);
  expect((await ada.client.pages.getPage({ id: hers })).components).toEqual([]);
});

test("a repeat of a copy that is in the trash changes nothing, so the copy can be restored complete", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const mine = await aPage(ada, "Mine");
  await aText(ada, mine, "The cell is the unit of life.");
  await aPicture(ada, mine);
  const copyId = ulid();
  const { components } = await ada.client.sharing.duplicatePage({ id: mine, copyId });
  await send(ada, aChange("page_delete", copyId, {}));
  await expect(ada.client.sharing.duplicatePage({ id: mine, copyId })).rejects.toMatchObject(taken);
  await send(ada, aChange("page_create", copyId, { title: "Mine", createdAt: 1 }));
  const restored = await ada.client.pages.getPage({ id: copyId });
  expect(restored.components).toEqual(components);
});

/** All stored data of the account as one text, including deleted and orphaned data. */
async function readExport({ client }: TestUser): Promise<string> {
  const files = unzipSync(new Uint8Array(await (await client.user.exportAccount({})).arrayBuffer()));
  return Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join("\n");
}

test("creating something under another account's id is refused permanently, not a server error", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const hers = await aPage(ada, "Private");
  const text = await aText(ada, hers, "hers");
  const folder = ulid();
  const folderData = { title: "Hers", color: "BLUE" as const, createdAt: 1 };
  await ada.client.sync.sendChanges({ payload: [aChange("folder_create", folder, folderData)] });
  const mine = await aPage(eve, "Mine");
  const { failed, success } = await eve.client.sync.sendChanges({
    payload: [
      aChange("page_create", hers, { title: "Mine now", createdAt: 1 }),
      aChange("component_create", text, textComponent(text, mine, "mine now")),
      aChange("component_create", text, deckComponent(text, mine, [aCard("a")])),
      aChange("folder_create", folder, folderData),
    ],
  });
  expect(success).toEqual([]);
  expect(failed.map(({ code, retriable }) => [code, retriable])).toEqual(
    Array.from({ length: 4 }, () => ["not_found", false]),
  );
  expect((await eve.client.pages.getPage({ id: mine })).page.components).toEqual([]);
});

test("an upload under another account's id is refused before storing anything", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const { componentId } = await aPicture(ada, await aPage(ada, "Private"));
  const before = await eve.client.pages.getContent({});
  const form = new FormData();
  form.append("componentId", componentId);
  form.append("file", new Blob(["%PDF-1.4\n%%EOF"], { type: "application/pdf" }), "a.pdf");
  const headers = { authorization: `Bearer ${eve.token}` };
  const response = await fetch(`${api.origin}/v1/pages/upload/image_component`, {
    method: "POST",
    headers,
    body: form,
  });
  expect([response.status, ((await response.json()) as { reason: string }).reason]).toEqual([409, "id_taken"]);
  expect(await eve.client.pages.getContent({})).toEqual(before);
});
