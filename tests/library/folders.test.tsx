// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Favorite, Folder, FolderItem } from "#shared/library/schema.ts";
import { DueDeck } from "#shared/study/schema.ts";
import { SyncRequest } from "#shared/sync/schema.ts";
import { Preferences } from "#shared/user/schema.ts";
import { store } from "#webapp/app/store.ts";
import { foldersAtom, moveToFolder, removeFromFolder, updateFolder } from "#webapp/library/folders.ts";
import { queue } from "#webapp/offline/sync.ts";
import { listedPage } from "#tests/kit/listed-page.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const item = (item_id: string, item_type: FolderItem["item_type"] = "page"): FolderItem => ({
  item_id,
  item_type,
  created_at: 1,
});

const aFolder = (_id: string, title: string, items: FolderItem[] = []): Folder => ({
  _id,
  title,
  user_id: ada._id,
  color: "GREEN",
  created_at: 1,
  updated_at: 1,
  items,
  is_archived: false,
  archived_at: null,
  is_expanded: true,
});

const aPin = (itemId: string, title: string): Favorite => ({
  _id: `${ada._id}.${itemId}`,
  userId: ada._id,
  itemId,
  itemType: "page",
  createdAt: 1,
  sortIndex: 1,
  data: { title, emoji: null },
});

interface Library {
  folders?: Folder[];
  favorites?: Favorite[];
}

/** A server that has two pages and accepts every change. */
function serverWith({ folders = [], favorites = [] }: Library, requests: SyncRequest[] = []): Answers {
  return {
    pages: {
      getContent: () => ({
        content: {
          pages: [listedPage("cells", "Cells"), listedPage("genes", "Genes")],
          components: [],
          podcasts: [],
        },
      }),
    },
    user: { getPreferences: () => Preferences.parse({ sidebar: { minimized: false } }) },
    library: { listFolders: () => ({ folders }), getFavorites: () => ({ favorites }) },
    sync: {
      sendBatches: (sent) => {
        const batches = sent["batches"] as { requests: unknown[] }[];
        const all = batches.flatMap((batch) => batch.requests.map((request) => SyncRequest.parse(request)));
        requests.push(...all);
        return { success: all.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
      },
    },
  };
}

// What a test has not sent would be sent to the server of the next one.
afterEach(() => queue().flush());

const isCreate = (request: SyncRequest) => request.type === "folder_create";

const biology = aFolder("bio", "Biology", [item("cells"), item("genes"), item("lab", "folder")]);
const folders = [biology, aFolder("lab", "Laboratory")];

const shownTitles = () =>
  within(screen.getByRole("list", { name: "Folder contents" }))
    .getAllByRole("link")
    .map((link) => link.textContent);

test("a folder lists its contents, which can be moved and removed through the menu", async () => {
  const requests: SyncRequest[] = [];
  await openApp("/folder/bio", { signedIn: true, answers: serverWith({ folders }, requests) });
  const user = userEvent.setup();
  await screen.findByRole("list", { name: "Folder contents" });
  expect(shownTitles()).toEqual(["Cells", "Genes", "Laboratory"]);
  const main = within(screen.getByRole("main"));
  await user.click(main.getByRole("button", { name: "More actions for Cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Move down" }));
  await waitFor(() => expect(shownTitles()).toEqual(["Genes", "Cells", "Laboratory"]));
  await user.click(main.getByRole("button", { name: "More actions for Genes" }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove from folder" }));
  await waitFor(() => expect(shownTitles()).toEqual(["Cells", "Laboratory"]));
  await waitFor(() =>
    expect(requests.at(-1)).toMatchObject({ resourceId: "bio", data: { removedItemIds: ["genes"] } }),
  );
});

const dueDeck = (componentId: string, pageId: string, due: number) =>
  DueDeck.parse({ componentId, pageId, title: componentId, due, fresh: 0, total: 9 });

test("a folder shows the due cards of its pages, and its session has only these cards", async () => {
  const answers = serverWith({ folders: [aFolder("bio", "Biology", [item("cells")])] });
  const decks = [dueDeck("cards-of-genes", "genes", 7), dueDeck("cards-of-cells", "cells", 3)];
  answers.study = { getDue: () => ({ decks }) };
  const app = await openApp("/folder/bio", { signedIn: true, answers });
  const row = within(await screen.findByRole("list", { name: "Folder contents" })).getByRole("listitem");
  await within(row).findByText("3 due");
  await userEvent.setup().click(screen.getByRole("link", { name: "Study folder" }));
  await waitFor(() => expect(app.address()).toBe("/page/cells/study/cards-of-cells?all=&folder=bio"));
});

test("creating a folder focuses its title", async () => {
  const requests: SyncRequest[] = [];
  await openApp("/home", { signedIn: true, answers: serverWith({}, requests) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "New folder" }));
  const title = await screen.findByRole("textbox", { name: "Title" });
  await waitFor(() => expect(document.activeElement).toBe(title));
  await user.keyboard("Biology 101{Enter}");
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ type: "folder_update", data: { title: "Biology 101" } }));
  expect(requests.filter(({ type }) => type === "folder_create")).toHaveLength(1);
});

test("a folder's title and colour can be changed, and Escape restores the title", async () => {
  const requests: SyncRequest[] = [];
  await openApp("/folder/bio", { signedIn: true, answers: serverWith({ folders }, requests) });
  const user = userEvent.setup();
  const title = await screen.findByRole("textbox", { name: "Title" });
  await user.type(title, " of plants{Escape}");
  expect((title as HTMLInputElement).value).toBe("Biology");
  await user.type(title, " 101{Enter}");
  await user.click(screen.getByRole("button", { name: "Folder menu" }));
  await user.click(await screen.findByRole("menuitem", { name: "Colour" }));
  await user.click(await screen.findByRole("radio", { name: "Pink" }));
  const sentData = () => Object.assign({}, ...requests.map(({ data }) => data)) as object;
  await waitFor(() => expect(sentData()).toMatchObject({ title: "Biology 101", color: "PINK" }));
});

test("a failed title suggestion shows an error on the screen", async () => {
  const answers = serverWith({ folders });
  answers.library = { ...answers.library, nameFolder: () => refuse("broken", "No") };
  await openApp("/folder/bio", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Folder menu" }));
  await user.click(await screen.findByRole("menuitem", { name: "Suggest another title" }));
  await screen.findByText("Failed to generate folder title");
});

test("a title is suggested once at a time, and the folder shows that it is being made", async () => {
  const arrived = createDeferred<string>();
  let calls = 0;
  const nameFolder = () => {
    calls += 1;
    return arrived.promise;
  };
  const answers = serverWith({ folders });
  answers.library = { ...answers.library, nameFolder };
  await openApp("/folder/bio", { signedIn: true, answers });
  const user = userEvent.setup();
  for (let press = 0; press < 2; press += 1) {
    await user.click(await screen.findByRole("button", { name: "Folder menu" }));
    await user.click(await screen.findByRole("menuitem", { name: "Suggest another title" }));
    await screen.findByText("Suggesting a title…");
  }
  arrived.resolve("Plant cells");
  await waitFor(() => expect(screen.queryByText("Suggesting a title…")).toBeNull());
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("Plant cells");
  expect(calls).toBe(1);
});

const titleField = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Title" });

test("a generated title that arrives while the student types one does not replace it", async () => {
  const arrived = createDeferred<string>();
  const requests: SyncRequest[] = [];
  const answers = serverWith({ folders: [aFolder("bio", "", [item("cells"), item("genes")])] }, requests);
  let calls = 0;
  const nameFolder = () => {
    calls += 1;
    return arrived.promise;
  };
  answers.library = { ...answers.library, nameFolder };
  await openApp("/folder/bio", { signedIn: true, answers });
  await waitFor(() => expect(calls).toBe(1));
  const user = userEvent.setup();
  await user.type(titleField(), "My exam");
  arrived.resolve("Cells and genes");
  await screen.findByRole("link", { name: "Cells and genes" });
  expect(titleField().value).toBe("My exam");
  await user.type(titleField(), "{Enter}");
  await waitFor(() => expect(requests.map(({ data }) => data)).toMatchObject([{ title: "My exam" }]));
});

test("deleting a folder leads home and can be undone from the notice", async () => {
  const requests: SyncRequest[] = [];
  const app = await openApp("/folder/bio", { signedIn: true, answers: serverWith({ folders }, requests) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Folder menu" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete folder" }));
  await screen.findByText("Folder deleted");
  await waitFor(() => expect(app.address()).toBe("/home"));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Folder restored");
  expect(await screen.findByRole("link", { name: "Biology" })).toBeDefined();
});

test("a missing folder shows a message and a way on", async () => {
  await openApp("/folder/nowhere", { signedIn: true, answers: serverWith({}) });
  await screen.findByRole("heading", { name: "Folder not found" });
});

test("a page can be put into a new folder from the list of all content", async () => {
  const requests: SyncRequest[] = [];
  await openApp("/content/all", { signedIn: true, answers: serverWith({}, requests) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("button", { name: "Add to folder" }));
  await user.type(await screen.findByRole("textbox", { name: "New folder" }), "Biology");
  await user.click(screen.getByRole("button", { name: "Create folder" }));
  await screen.findByText("Added to Biology");
  await waitFor(() => expect(requests.find(isCreate)).toMatchObject({ data: { title: "Biology" } }));
  const made = requests.find(isCreate)?.resourceId;
  await waitFor(() =>
    expect(requests.find((request) => request.type === "folder_update" && request.resourceId === made)).toMatchObject({
      data: { items: [{ item_id: "cells", item_type: "page" }] },
    }),
  );
});

test("moving a page from the list of all content takes it out of its other folder, and can be undone", async () => {
  const requests: SyncRequest[] = [];
  const cells = aFolder("cell", "Cells", [item("cells")]);
  await openApp("/content/all", {
    signedIn: true,
    answers: serverWith({ folders: [cells, aFolder("bio", "Biology")] }, requests),
  });
  const user = userEvent.setup();
  const inFolders = () => {
    const latest = requests.filter(({ type }) => type === "folder_update");
    return latest.map(({ resourceId, data }) => [resourceId, data]);
  };
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("button", { name: "Add to folder" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Biology" }));
  await screen.findByText("Moved to Biology");
  const isIn = { items: [{ item_id: "cells", item_type: "page", created_at: expect.any(Number) as number }] };
  await waitFor(() =>
    expect(inFolders()).toEqual([
      ["bio", isIn],
      ["cell", { removedItemIds: ["cells"] }],
    ]),
  );
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() =>
    expect(inFolders().slice(2)).toEqual([
      ["bio", { removedItemIds: ["cells"] }],
      ["cell", isIn],
    ]),
  );
});

const idsIn = (id: string) =>
  store
    .get(foldersAtom)
    ?.find(({ _id }) => _id === id)
    ?.items.map((i) => i.item_id);

test("undoing a move moves only that page back, to its position among the folder's current items", async () => {
  const holding = aFolder("cell", "Cells", [item("dna"), item("cells"), item("rna"), item("genes")]);
  await openApp("/content/all", {
    signedIn: true,
    answers: serverWith({ folders: [holding, aFolder("bio", "Biology")] }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("button", { name: "Add to folder" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Biology" }));
  await screen.findByText("Moved to Biology");
  await removeFromFolder("cell", [item("rna")]);
  await updateFolder("cell", { items: [item("genes"), item("dna"), item("notes")] });
  await waitFor(() => expect(idsIn("cell")).toEqual(["genes", "dna", "notes"]));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(idsIn("bio")).toEqual([]));
  await waitFor(() => expect(idsIn("cell")).toEqual(["genes", "dna", "cells", "notes"]));
});

const idsInFolders = () => store.get(foldersAtom)?.map(({ title, items }) => [title, items.map((i) => i.item_id)]);

test("undoing a move does not move a page that was moved again meanwhile", async () => {
  // Other folders than above, whose last changes may still wait to be sent.
  const moves = [aFolder("one", "Cells", [item("cells")]), aFolder("two", "Biology"), aFolder("lab", "Laboratory")];
  await openApp("/content/all", { signedIn: true, answers: serverWith({ folders: moves }) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("button", { name: "Add to folder" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Biology" }));
  await screen.findByText("Moved to Biology");
  await moveToFolder("lab", [item("cells")]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await updateFolder("two", { title: "Undone" });
  await waitFor(() => expect(idsInFolders()?.[1]?.[0]).toBe("Undone"));
  expect(idsInFolders()).toEqual([
    ["Cells", []],
    ["Undone", []],
    ["Laboratory", ["cells"]],
  ]);
});

test("several items can be deleted at once and restored with one click", async () => {
  await openApp("/content/all", { signedIn: true, answers: serverWith({}) });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("checkbox", { name: "Select Genes" }));
  expect(screen.getByText("2 selected")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await screen.findByText("2 items deleted");
  expect(screen.queryByRole("checkbox", { name: "Select Cells" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByRole("checkbox", { name: "Select Cells" });
});

test("a pin appears in the sidebar at once, and disappears with a notice if the server refuses it", async () => {
  const answers = serverWith({});
  answers.library = { ...answers.library, addFavorite: () => refuse("broken", "No") };
  await openApp("/content/all", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "More actions for Cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Pin" }));
  await screen.findByText("Failed to pin, please try again");
  expect(screen.queryByText("Pinned")).toBeNull();
});

test("pins can be moved and removed, and a removal that the server refuses is reverted with a notice", async () => {
  const answers = serverWith({ favorites: [aPin("cells", "Cells"), aPin("genes", "Genes")] });
  const sorted: unknown[] = [];
  answers.library = {
    ...answers.library,
    sortFavorites: (sent) => {
      sorted.push(sent["itemIds"]);
      return { success: true };
    },
    removeFavorite: () => refuse("broken", "No"),
  };
  await openApp("/content/all", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "More actions for pin Cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Move pin down" }));
  await waitFor(() => expect(sorted).toEqual([["genes", "cells"]]));
  await user.click(screen.getByRole("button", { name: "More actions for pin Cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove pin" }));
  await screen.findByText("Failed to remove pin, please try again");
  expect(screen.getByRole("button", { name: "More actions for pin Cells" })).toBeDefined();
});

const FAILED = "Your folders could not be loaded";

/** A server that can list the folders only once it is up. */
function serverUnderRepair() {
  const server = { isUp: false };
  const answers = serverWith({ folders });
  answers.library = { ...answers.library, listFolders: () => (server.isUp ? { folders } : refuse("broken", "No")) };
  return { server, answers };
}

test("folders that could not be loaded are shown as a failure in the sidebar, and load on a retry", async () => {
  const { server, answers } = serverUnderRepair();
  await openApp("/home", { signedIn: true, answers });
  const failure = within((await screen.findByText(FAILED)).closest("aside") ?? document.body);
  expect(failure.queryByText("No folders yet")).toBeNull();
  server.isUp = true;
  await userEvent.setup().click(failure.getByRole("button", { name: "Try again" }));
  await failure.findByRole("link", { name: "Biology" });
  expect(screen.queryByText(FAILED)).toBeNull();
});

test("the folder picker shows folders that could not be loaded as a failure, and loads them on a retry", async () => {
  const { server, answers } = serverUnderRepair();
  await openApp("/content/all", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("checkbox", { name: "Select Cells" }));
  await user.click(screen.getByRole("button", { name: "Add to folder" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText(FAILED);
  server.isUp = true;
  await user.click(dialog.getByRole("button", { name: "Try again" }));
  await dialog.findByRole("button", { name: /Laboratory/ });
  expect(dialog.queryByText(FAILED)).toBeNull();
});

test("a folder is not called missing while the folders could not be loaded", async () => {
  const { server, answers } = serverUnderRepair();
  await openApp("/folder/bio", { signedIn: true, answers });
  const main = within(await screen.findByRole("main"));
  await main.findByText(FAILED);
  server.isUp = true;
  await userEvent.setup().click(main.getByRole("button", { name: "Try again" }));
  await main.findByRole("list", { name: "Folder contents" });
});
