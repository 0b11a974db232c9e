// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { pageCitation } from "#shared/citations.ts";
import type { SearchHit } from "#shared/library/contract.ts";
import type { SyncRequestOf } from "#shared/sync/schema.ts";
import type { Folder } from "#shared/library/schema.ts";
import { parseSearchQuery } from "#shared/library/search-query.ts";
import { buildPage } from "#shared/pages/present.ts";
import type { Component } from "#shared/pages/schema.ts";
import { writeCachedPage } from "#shared/sync/storage/local-store.ts";
import { store } from "#webapp/app/store.ts";
import { completeSignIn, signOut } from "#webapp/app/session/session.ts";
import { searchCachedPages } from "#webapp/library/search/cached-passages.ts";
import { addRecentSearch, recentSearchesAtom } from "#webapp/library/search/recent-searches.ts";
import { ada, noNetwork, openApp, type Answers } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const pageNamed = (id: string, title: string) =>
  buildPage(
    {
      resourceId: id,
      data: { title, createdAt: 1, emoji: null, order: 0, parent: null, isFlashcardPage: false },
    } as SyncRequestOf<"page_create">,
    "ada",
  );

const passage: SearchHit = {
  kind: "page",
  sourceId: "page:cells",
  title: "Cells",
  pageId: "cells",
  componentId: "t1",
  text: "Osmosis is the movement of water across a membrane.",
  citation: pageCitation("cells", "t1", "Osmosis is the movement"),
};

interface Found {
  found: SearchHit[];
  unread: number;
}

const serverWith = (search: (sent: Readonly<Record<string, unknown>>) => Found | Promise<Found>): Answers => ({
  pages: {
    getContent: () => ({
      content: { pages: [pageNamed("cells", "Cells"), pageNamed("genes", "Genes")], components: [], podcasts: [] },
    }),
  },
  library: { listFolders: () => ({ folders: [] }), getFavorites: () => ({ favorites: [] }), search },
});

test("Ctrl K opens the search on any screen, and Enter opens the selected result", async () => {
  const answers = serverWith(() => ({ found: [], unread: 0 }));
  const app = await openApp("/content/all", { signedIn: true, answers });
  const user = userEvent.setup();
  await screen.findByText("2 items");
  // The shortcut works only once its listener is added, which happens after the screen is shown.
  const field = await waitFor(async () => {
    await user.keyboard("{Control>}k{/Control}");
    return screen.getByRole("combobox", { name: "Search everything" });
  });
  await user.type(field, "gen");
  const list = within(screen.getByRole("listbox", { name: "Search results" }));
  expect((await list.findByRole("option", { selected: true })).textContent).toContain("Genes");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(app.address()).toBe("/page/genes"));
  expect(screen.queryByRole("combobox", { name: "Search everything" })).toBeNull();
});

test("passages are found with highlighted words and open at their position", async () => {
  const answers = serverWith(() => ({ found: [passage], unread: 1 }));
  const app = await openApp("/search?q=osmosis", { signedIn: true, answers });
  const found = await screen.findByRole("option", { name: /movement of water/ });
  expect(found.querySelector("mark")?.textContent).toBe("Osmosis");
  expect(screen.getByText(/1 source is still being processed/)).toBeDefined();
  const user = userEvent.setup();
  await user.click(found);
  await waitFor(() => expect(app.address()).toContain("/page/cells?component=t1&quote="));
});

test("without a network, titles are still found, and a message says what isn't searched", async () => {
  await openApp("/search", { signedIn: true, answers: serverWith(noNetwork) });
  const user = userEvent.setup();
  await user.type(await screen.findByRole("combobox", { name: "Search everything" }), "cells");
  expect(await screen.findByText("Offline: searching titles and pages saved on this device.")).toBeDefined();
  const list = within(screen.getByRole("listbox", { name: "Search results" }));
  expect(list.getAllByRole("option").map((option) => option.textContent)).toEqual(["CellsPage"]);
});

test("without a network, filters also apply to the passages of pages saved on this device", async () => {
  const about = { pageId: "cells", createdAt: 1, createdBy: "ada", lastOpenedAt: null, version: 1 };
  const content = {
    text: [{ content: passage.text }],
    subType: "normal",
    metadata: { indents: 0, highlightColor: null },
  };
  const component = { ...about, _id: "t1", modifiedAt: 1000, type: "text", content } as Component;
  await writeCachedPage("ada", "cells", { page: pageNamed("cells", "Cells"), components: [component] });
  const folder = { _id: "biology", title: "Biology", items: [{ item_id: "cells" }], is_archived: false } as Folder;
  const find = async (query: string) =>
    (await searchCachedPages("ada", parseSearchQuery(query, 2000), [folder])).map(({ componentId }) => componentId);
  expect(await find("osmosis")).toEqual(["t1"]);
  expect(await find("osmosis kind:page folder:biology after:1d")).toEqual(["t1"]);
  for (const filter of ["kind:deck", "folder:chemistry", "before:1970", "after:1971"])
    expect(await find(`osmosis ${filter}`), filter).toEqual([]);
});

test("a long search is listed among recent searches, but a command is not", async () => {
  const user = userEvent.setup();
  const long = "membrane ".repeat(60);
  const app = await openApp("/search", { signedIn: true, answers: serverWith(() => ({ found: [], unread: 0 })) });
  const field = await screen.findByRole("combobox", { name: "Search everything" });
  act(() => addRecentSearch(long));
  await user.type(field, "kind:command settings");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(app.address()).not.toContain("/search"));
  expect(store.get(recentSearchesAtom)[0]).toBe(long.slice(0, 400).trim());
});

test("a search can be filtered by kind, and is offered again once it led to a result", async () => {
  const asked: string[] = [];
  const answers = serverWith(({ q }) => {
    asked.push(String(q));
    return { found: [passage], unread: 0 };
  });
  const app = await openApp("/search", { signedIn: true, answers });
  const user = userEvent.setup();
  const field = await screen.findByRole("combobox", { name: "Search everything" });
  await user.type(field, "osmosis");
  await user.selectOptions(screen.getByRole("combobox", { name: "Kind" }), "Pages");
  await waitFor(() => expect(asked.at(-1)).toBe("kind:page osmosis"));
  await user.click(await screen.findByRole("option", { name: /movement of water/ }));
  await waitFor(() => expect(app.address()).toContain("/page/cells"));
  await waitFor(() => expect(screen.queryByRole("listbox", { name: "Search results" })).toBeNull());
  await act(() => app.router.navigate({ to: "/search" }));
  const again = await screen.findByRole("option", { name: "osmosis" });
  expect(again.closest("[role=group]")?.textContent).toContain("Recent searches");
  await user.click(again);
  expect(await screen.findByRole("option", { name: /movement of water/ })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>("combobox", { name: "Search everything" }).value).toBe("osmosis");
});

const searchField = () => screen.findByRole<HTMLInputElement>("combobox", { name: "Search everything" });

test("the address of another search, such as after going back, starts that search", async () => {
  const asked: unknown[] = [];
  const answers = serverWith(({ q }) => {
    asked.push(q);
    return { found: [], unread: 0 };
  });
  const app = await openApp("/search?q=osmosis", { signedIn: true, answers });
  expect((await searchField()).value).toBe("osmosis");
  await act(() => app.router.navigate({ href: "/search?q=genes" }));
  await waitFor(async () => expect((await searchField()).value).toBe("genes"));
  await waitFor(() => expect(asked.at(-1)).toBe("genes"));
});

test("results of the previous account are not shown to the next account that searches for the same words", async () => {
  const late = createDeferred<SearchHit[]>();
  const hits = [late.promise, [{ ...passage, text: "Osmosis in Grace's notes." }]];
  const answers = serverWith(async () => ({ found: (await hits.shift()) ?? [], unread: 0 }));
  let user = ada;
  answers.auth = { getUser: () => ({ user, organization: null, tempToken: "temp" }) };
  const app = await openApp("/search?q=osmosis", { signedIn: true, answers });
  await waitFor(() => expect(hits).toHaveLength(1));
  await act(signOut);
  user = { ...ada, _id: "01JD00000000000000000GRACE", name: "Grace" };
  await act(() => completeSignIn({ user, token: "token-of-grace" }));
  await act(() => app.router.navigate({ href: "/search?q=osmosis" }));
  await searchField();
  late.resolve([passage]);
  expect(await screen.findByRole("option", { name: /Grace's notes/ })).toBeDefined();
  expect(screen.queryByRole("option", { name: /movement of water/ })).toBeNull();
});
