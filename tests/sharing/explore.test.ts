import { expect, test } from "vitest";
import { readExcerpt } from "#api/sharing/excerpt.ts";
import { exploreShares } from "#api/sharing/explore.ts";
import { findSharedHead } from "#api/sharing/shared-content.ts";
import { findShare } from "#api/sharing/store.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { failOnce } from "#tests/store/failing-store.ts";
import { aCard, aChange, aDeck, aPage, aText, send } from "#tests/store/changes.ts";

async function aListedPage(
  owner: TestUser,
  title: string,
  text = "The cell is the unit of life.",
): Promise<{ pageId: string; shareId: string }> {
  const pageId = await aPage(owner, title);
  await aText(owner, pageId, text);
  const { share } = await owner.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  return { pageId, shareId: share._id };
}

test("an item of Explore that cannot be read is left out, and the others are listed", async () => {
  const api = await startApi();
  const { deps, clock } = api;
  const ada = await api.newUser();
  for (const title of ["Mitosis", "Meiosis"]) {
    clock.advance(1000);
    await aListedPage(ada, title);
  }
  const { store } = failOnce(deps.store, "pages", "find");
  const { items } = await exploreShares({ ...deps, store }, { q: "" });
  expect(items.map(({ title }) => title)).toEqual(["Mitosis"]);
});

test("each item has its language, and items in the reader's language come first", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (const [title, text] of [
    [
      "Zellen",
      "Die Zelle ist die kleinste Einheit des Lebens, und jede Zelle entsteht aus einer anderen, die sich teilt.",
    ],
    [
      "Cells",
      "The cell is the smallest unit of life, and each cell comes from another cell that grew and divided into two.",
    ],
    ["Note", "42"],
  ] as const) {
    api.clock.advance(1000);
    await aListedPage(ada, title, text);
  }
  const list = async (language?: string) => {
    const { items } = await api.clientFor().sharing.explore({ ...(language !== undefined && { language }) });
    return items.map(({ title, excerpt }) => [title, excerpt.language]);
  };
  const [german, english, short] = [
    ["Zellen", "de"],
    ["Cells", "en"],
    ["Note", null],
  ];
  expect(await list()).toEqual([short, english, german]);
  expect(await list("en")).toEqual([english, short, german]);
  expect(await list("de")).toEqual([german, short, english]);
});

test("excerpts contain markup completely or not at all, and no card that needs a picture", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada, "Growth");
  const words = "one two three four five six seven eight nine ten ".repeat(3).trim();
  await aDeck(ada, pageId, [
    { ...aCard("picture"), questionImage: "/v1/files/cell.png" },
    { ...aCard("long", `${words} $e^{a + b + c}$ and more`), answer: `\`\`\`\n${"x = 1;\n".repeat(40)}\`\`\`` },
    { ...aCard("formula", `${words} $e^{a + b + c}$ and more`), answer: "$$\\frac{1}{2}$$\nis  a half" },
    { ...aCard("image", `![${"cell ".repeat(30)}](/v1/files/cell.png) What is this?`), answer: `${words} ${words}` },
    aCard("last"),
  ]);
  await ada.client.sharing.putShare({ type: "page", id: pageId, visibility: "listed" });
  const [item] = (await api.clientFor().sharing.explore({})).items;
  expect(item?.excerpt).toMatchObject({
    cards: 5,
    samples: [
      { question: `${words} …`, answer: "$$\\frac{1}{2}$$ is a half" },
      {
        question: `![${"cell ".repeat(30)}](/v1/files/cell.png) What is this?`,
        answer: `${words} one two …`,
      },
      { question: "last?", answer: "the answer to last" },
    ],
  });
});

test("the cached excerpt of a deleted page is removed at once", async () => {
  const api = await startApi();
  const { deps } = api;
  const ada = await api.newUser();
  const { pageId, shareId } = await aListedPage(ada, "Mitosis");
  const share = await findShare(deps.store, shareId);
  const head = share && (await findSharedHead(deps.store, share));
  if (!head) throw new Error("The page is not shared");
  const components = failOnce(deps.store, "components", "find");
  const read = () => readExcerpt(components.store, share, head);
  await expect(read()).rejects.toThrow("no answer");
  expect((await read()).text).toBe("The cell is the unit of life.");
  const readOnce = components.calls.count;
  await read();
  expect(components.calls.count).toBe(readOnce);
  await send(ada, aChange("page_update", pageId, { archived: true }));
  await read();
  expect(components.calls.count).toBeGreaterThan(readOnce);
});

test("a search lists the thirty best matches that can be read, and says that there are more", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pages: string[] = [];
  for (let count = 0; count < 32; count += 1) pages.push((await aListedPage(ada, `Mitosis ${count}`)).pageId);
  const search = () => api.clientFor().sharing.explore({ q: "mitosis" });
  const all = await search();
  expect([all.items.length, all.more, all.next]).toEqual([30, true, null]);
  // The first two matches can no longer be opened.
  for (const { title } of all.items.slice(0, 2)) {
    const pageId = pages[Number(title.split(" ")[1])] ?? "";
    await send(ada, aChange("page_update", pageId, { archived: true }));
  }
  const rest = await search();
  expect([rest.items.length, rest.more]).toEqual([30, false]);
});
