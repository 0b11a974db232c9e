import { expect, test } from "vitest";
import type { CaptureRecord } from "#shared/capture/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aPage, deckComponent } from "#tests/store/changes.ts";
import { anExtensionWorld, connectAs } from "#tests/kit/browser/extension-world.ts";

const RIBOSOMES = "https://lectures.example.org/ribosomes";

const aRecord = (more: Partial<CaptureRecord>): CaptureRecord => ({
  _id: "a-capture-of-ribosomes",
  kind: "note",
  address: RIBOSOMES,
  title: "Ribosomes",
  author: null,
  capturedAt: 1,
  locator: null,
  pageId: "page-of-ribosomes",
  componentId: null,
  cardId: null,
  ...more,
});

/** A student with a note and a deck from one page, and an extension that has read the server's list. */
async function aReader() {
  const world = anExtensionWorld();
  const api = await startApi();
  const ada = await api.newUser();
  const [
    { startLibraryRefresh: startLibrary },
    { findLibraryPage: lookUp, formatContents: sayWhat },
    { notify },
    { badgeFor: signOf },
  ] = await Promise.all([
    import("#extension/library/refresh-library.ts"),
    import("#extension/library/library-page.ts"),
    import("#extension/app/channel.ts"),
    import("#extension/library/badge.ts"),
  ]);
  const pageId = await aPage(ada, "Ribosomes");
  const payload = [
    aChange(
      "component_create",
      "deck-of-ribosomes",
      deckComponent("deck-of-ribosomes", pageId, [aCard("c1"), aCard("c2")]),
    ),
  ];
  await ada.client.sync.sendChanges({ payload });
  const captures = [
    aRecord({ pageId }),
    aRecord({ _id: "a-card-of-ribosomes", kind: "card", pageId, componentId: "deck-of-ribosomes", cardId: "c1" }),
  ];
  await ada.client.capture.saveCaptures({ accountId: ada.userId, captures });
  await connectAs(api.origin, { accountId: ada.userId, token: ada.token });
  notify("account");
  const findHere = async (url: string) => {
    const found = await lookUp(url);
    return found && { what: sayWhat(found), due: found.due, sign: signOf(found).text };
  };
  return { ...world, api, ada, pageId, startLibrary, notify, findHere };
}

test("shows what the library has from a page under any of its addresses, until that is deleted", async () => {
  const { ada, api, pageId, startLibrary, notify, findHere } = await aReader();
  expect(await findHere(RIBOSOMES)).toEqual({ what: "", due: 0, sign: "" });
  startLibrary();
  const whole = { what: "a note and a deck of 2 cards", due: 0, sign: "•" };
  await expect.poll(() => findHere(`${RIBOSOMES}?utm_source=mail#sites`)).toEqual(whole);
  expect(await findHere("https://lectures.example.org/mitochondria")).toEqual({ what: "", due: 0, sign: "" });
  expect(await findHere("chrome://settings")).toBeUndefined();

  const review = { _id: "a-review-of-c1-0001", cardId: "c1", componentId: "deck-of-ribosomes", grade: 1 as const };
  const reviewedAt = api.clock.now();
  await ada.client.sync.sendChanges({
    payload: [aChange("review_add", "deck-of-ribosomes", { ...review, reviewedAt })],
  });
  api.clock.advance(3_600_000);
  notify("saved");
  await expect.poll(() => findHere(RIBOSOMES)).toEqual({ ...whole, due: 1, sign: "1" });

  await ada.client.sync.sendChanges({ payload: [aChange("page_delete", pageId, {})] });
  notify("saved");
  await expect.poll(() => findHere(RIBOSOMES)).toEqual({ what: "", due: 0, sign: "" });
});

test("looking up a page sends no address anywhere", async () => {
  const { asked, startLibrary, findHere } = await aReader();
  asked.length = 0;
  startLibrary();
  await expect.poll(async () => (await findHere(RIBOSOMES))?.sign).toBe("•");
  // Refreshes need this lock, so whatever is sent while the test holds it would come from a lookup.
  await navigator.locks.request("lamplight-library", async () => {
    const before = asked.length;
    await findHere(RIBOSOMES);
    await findHere("https://lectures.example.org/somewhere/else?secret=1");
    expect(asked).toHaveLength(before);
  });
  expect(asked.filter(({ path, body }) => /lectures|secret/.test(path + body))).toEqual([]);
});

test.each([
  ["chrome://settings/", "Browser pages can't be captured"],
  ["about:config", "Browser pages can't be captured"],
  ["view-source:https://example.org/", "Browser pages can't be captured"],
  ["https://chromewebstore.google.com/detail/x", "store pages can't be captured"],
  ["https://chrome.google.com/webstore/category/extensions", "store pages can't be captured"],
  ["https://addons.mozilla.org/en-US/firefox/", "store pages can't be captured"],
  ["chrome-extension://abcdef/page.html", "Extension pages can't be captured"],
  ["file:///home/ada/lecture.pdf", "To capture local files"],
])("%s can't be captured, with a reason", async (address, why) => {
  const { describeInaccessible: whyClosed } = await import("#extension/platform/inaccessible-pages.ts");
  expect(whyClosed(address, { canReadFiles: false })).toContain(why);
  for (const open of ["https://chrome.google.com/lectures", "file:///home/ada/lecture.pdf"])
    expect(whyClosed(open, { canReadFiles: true })).toBeUndefined();
});
