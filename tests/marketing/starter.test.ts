import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCitation } from "#shared/citations.ts";
import { plainText } from "#shared/pages/runs.ts";
import { StarterPage } from "#shared/sharing/starter.ts";
import { seedStarter } from "#api/sharing/seed-starter.ts";
import { startApi, type TestApi } from "#tests/kit/api.ts";
import { beforeStoreCall } from "#tests/store/before-store-call.ts";
import { failOnce } from "#tests/store/failing-store.ts";
import { ownFolder } from "#tests/store/own-folder.ts";
import { makeStarter } from "#webapp/marketing/starter/make-starter.ts";

const pages = makeStarter();

test("each chapter of the starter collection has a licence, and cards that quote its text word for word", () => {
  expect(pages.length).toBeGreaterThanOrEqual(10);
  expect(new Set(pages.map(({ topic }) => topic)).size).toBe(pages.length);
  for (const page of pages) {
    StarterPage.parse(page);
    expect([page.licence, page.attribution !== "", page.description !== ""]).toEqual(["cc_by", true, true]);
    const texts = new Map(
      page.components.flatMap(({ _id, type, content }) =>
        type === "text" ? [[_id, plainText(content.text)] as const] : [],
      ),
    );
    const deck = page.components.at(-1);
    const cards = deck?.type === "flash_cards" ? deck.content.cards : [];
    expect([page.slug, cards.length >= 8]).toEqual([page.slug, true]);
    for (const { question, citation } of cards) {
      const cited = citation === null ? undefined : parseCitation(citation);
      if (cited?.type !== "page_citation") throw new Error(`“${question}” cites no text`);
      expect(texts.get(cited.componentId)).toContain(cited.quote);
    }
  }
});

/** A built web app that contains only the starter collection. */
function aWebFolder(): string {
  const folder = ownFolder();
  mkdirSync(join(folder, ".site"));
  writeFileSync(join(folder, ".site", "starter.json"), JSON.stringify(pages));
  writeFileSync(join(folder, ".site", "pages.json"), "[]");
  writeFileSync(join(folder, ".site", "boot.js"), "");
  writeFileSync(join(folder, "shell.html"), "<!doctype html><html><head></head></html>");
  return folder;
}

test("an installation with accounts gets the chapters only if the operator turns them on; a new one gets them by default", async () => {
  const webFolder = aWebFolder();
  const seedAs = async (api: TestApi, choice: "new" | "on" | "off") => {
    await seedStarter({ ...api.deps, settings: { ...api.deps.settings, STARTER_PAGES: choice } }, webFolder);
    return (await list(api)).length;
  };
  const used = await startApi({});
  await used.newUser();
  expect(await seedAs(used, "new")).toBe(0);
  expect(await seedAs(used, "on")).toBe(pages.length);
  const fresh = await startApi({});
  expect(await seedAs(fresh, "off")).toBe(0);
  expect(await seedAs(fresh, "new")).toBe(pages.length);
});

const list = async (api: TestApi, q = "") => (await api.clientFor().sharing.explore({ q })).items;

test("a chapter that cannot be stored does not prevent the others from being listed", async () => {
  const api = await startApi();
  const { store } = failOnce(api.deps.store, "pages", "insert");
  await seedStarter({ ...api.deps, store }, aWebFolder());
  expect(await list(api)).toHaveLength(pages.length - 1);
  await seedStarter(api.deps, aWebFolder());
  expect(await list(api)).toHaveLength(pages.length);
});

test("the chapters are listed in the order of the build, however long it takes to store each", async () => {
  const api = await startApi();
  beforeStoreCall(api.deps.store, (call) => {
    if (call === "shares.insert") api.clock.advance(2);
  });
  await seedStarter(api.deps, aWebFolder());
  expect((await list(api)).map(({ title }) => title)).toEqual(pages.map(({ title }) => title));
});

test("a new installation lists the chapters, which anyone can copy; one that was taken down does not come back", async () => {
  const webFolder = aWebFolder();
  const dataDir = ownFolder();
  const first = await startApi({ webFolder, dataDir });
  await expect.poll(async () => (await list(first)).length).toBe(pages.length);
  const [found] = await list(first, "photosynthesis");
  expect(found).toMatchObject({ title: "Photosynthesis", topic: "biology", licence: "cc_by" });
  expect(found?.excerpt).toMatchObject({ samples: [{ question: "What is photosynthesis?" }, {}, {}], language: "en" });
  // The first account of an installation on one's own machine is its administrator.
  const root = await first.newUser();
  const { shared } = await first.clientFor().sharing.openShare({ share: found?._id ?? "" });
  const { page, components } = await root.client.sharing.duplicatePage({ id: shared.targetId });
  const deck = components.at(-1);
  const [card] = deck?.type === "flash_cards" ? deck.content.cards : [];
  const cited = parseCitation(card?.citation ?? "");
  if (cited?.type !== "page_citation") throw new Error("The copied card cites no text");
  // The copied cards cite the copy, not the original page.
  expect([page.title, cited.pageId]).toEqual(["Photosynthesis", page._id]);
  expect(components.map(({ _id }) => _id)).toContain(cited.componentId);

  await root.client.sharing.takeDown({ share: found?._id ?? "" });
  await first.stop();
  const second = await startApi({ webFolder, dataDir });
  expect((await list(second)).map(({ title }) => title)).not.toContain("Photosynthesis");
  expect(await list(second)).toHaveLength(pages.length - 1);
});
