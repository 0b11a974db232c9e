import { expect, test, vi } from "vitest";
import { DeckContent } from "#shared/flashcards/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";
import { aChange, textContent } from "#tests/store/changes.ts";

const TEXT =
  "The ribosome is the organelle that makes proteins. Osmosis is the movement of water through a membrane. " +
  "Mitochondria are the organelles that produce most of the cell's ATP.";

// Reading an article needs the browser's document.
vi.mock("#extension/capture/article/article.ts", () => ({
  MAX_BLOCKS: 1000,
  readArticle: async () => ({
    blocks: [{ type: "text", content: textContent(TEXT) }],
    isCut: false,
    isDoubtful: false,
  }),
}));

test("cards made again from a page keep what the student changed in them, and the notice says that none were added", async () => {
  anExtensionWorld();
  const [api, store, { startProcessing }, { notify }, gestures] = await Promise.all([
    startApi(),
    import("#extension/capture/store.ts"),
    import("#extension/capture/delivery/process-captures.ts"),
    import("#extension/app/channel.ts"),
    import("#extension/capture/save-capture.ts"),
  ]);
  const ada = await api.newUser();
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  startProcessing();
  const page = { kind: "note" as const, address: "https://lectures.example.org/cells", title: "Cells", author: null };
  const makeCards = async () => {
    const { id } = await gestures.saveNewCapture({ ...page, state: "ready", wants: {} }, { html: "<p>Cells</p>" });
    notify("work");
    await expect.poll(async () => (await store.readCapture(id))?.state, { timeout: 15_000 }).toBe("saved");
    return (await store.readCapture(id))?.notice;
  };
  const readDeck = async () => {
    const { content } = await ada.client.pages.getContent({});
    const deck = content.components.find(({ type }) => type === "flash_cards");
    const { component } = await ada.client.pages.getComponent({ id: deck?._id ?? "" });
    return { ...component, content: DeckContent.parse(component.content) };
  };
  const firstNotice = await makeCards();
  const { _id, version, content } = await readDeck();
  expect(content.cards.length).toBeGreaterThan(1);
  expect(firstNotice).toBe(`Cards made: ${content.cards.length}.`);
  const [first, ...others] = content.cards;
  const cards = [{ ...first, answer: "In the student's words." }, ...others];
  const payload = [
    aChange("component_content_update", _id, { newContent: { ...content, cards } }, { baseVersion: version }),
  ];
  await ada.client.sync.sendChanges({ payload });
  expect(await makeCards()).toBe("No cards were added: all of them are already in the deck.");
  expect((await readDeck()).content.cards).toEqual(cards);
});
