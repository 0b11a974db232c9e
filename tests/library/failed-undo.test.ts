// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { removeItem } from "#webapp/library/delete-items.ts";
import type { Item } from "#webapp/library/items.ts";
import { ada, noNetwork, openApp } from "#tests/kit/browser/web.tsx";

const content = {
  file: { id: "lecture.pdf", name: "Lecture.pdf" },
  url: "/v1/files/lecture.pdf",
  isArchived: false,
  archivedAt: null,
  thumbnail: null,
  title: "Lecture",
};
const times = { createdAt: 1, modifiedAt: 1, lastOpenedAt: null };
const component = Component.parse({
  _id: "file-of-failed-undo",
  pageId: "page-of-failed-undo",
  createdBy: "ada",
  version: 1,
  type: "image",
  content,
  ...times,
});
const item: Item = {
  id: component._id,
  kind: "pdf",
  title: "Lecture",
  emoji: null,
  pageId: component.pageId,
  pageTitle: "",
  cardCount: undefined,
  fileId: "lecture.pdf",
  createdAt: 1,
  editedAt: 1,
  openedAt: null,
  isArchived: false,
};

test("an undo that cannot restore the item says so", async () => {
  let isOffline = false;
  const getComponent = () => (isOffline ? noNetwork() : { component });
  await openApp("/home", { signedIn: true, answers: { pages: { getComponent } } });
  await waitFor(() => expect(store.get(accountIdAtom)).toBe(ada._id));
  await removeItem(item);
  await screen.findByText("PDF deleted");
  isOffline = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("This could not be restored. Try again when you're online.");
  expect(screen.queryByText("PDF restored")).toBeNull();
});
