// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Component } from "#shared/pages/schema.ts";
import { SyncRequest } from "#shared/sync/schema.ts";
import { noNetwork, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";
import { suggestTitle } from "#webapp/pdf/suggest-title.ts";

/** A server with one document, which returns the title that was last synced. */
function serverWith(changes: Answers["pdf"] = {}) {
  let [title, version] = ["chapter-15", 1];
  const titles: string[] = [];
  const component = () =>
    Component.parse({
      _id: "doc",
      pageId: "page",
      type: "image",
      createdAt: 1,
      modifiedAt: 1,
      createdBy: "",
      lastOpenedAt: null,
      version,
      content: { file: { id: "f.pdf", name: "chapter-15.pdf" }, url: "/v1/files/f.pdf", title },
    });
  const answers: Answers = {
    pdf: { generateName: () => ({ name: "Genes and Proteins" }), ...changes },
    pages: { getComponent: () => ({ component: component() }) },
    sync: {
      sendBatches: (sent) => {
        const batches = sent["batches"] as { requests: unknown[] }[];
        const requests = batches.flatMap((batch) => batch.requests.map((request) => SyncRequest.parse(request)));
        for (const { type, data } of requests)
          if (type === "component_content_update") titles.push((title = (data.newContent as { title: string }).title));
        version += requests.length;
        return { success: requests.map(({ id }) => id), num_failed: 0, failed: [], parcels: [], versions: [] };
      },
    },
  };
  return { answers, titles };
}

test("a document takes the title that its text suggests, which can be undone", async () => {
  const { answers, titles } = serverWith();
  await openApp("/labs", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Labs" });
  await suggestTitle("doc");
  await screen.findByText("Renamed to “Genes and Proteins”");
  await userEvent.setup().click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(titles).toEqual(["Genes and Proteins", "chapter-15"]), { timeout: 5000 });
});

test("an undo of a suggested title that fails says so", async () => {
  const { answers, titles } = serverWith();
  let isOffline = false;
  const { getComponent } = answers.pages ?? {};
  if (!getComponent) throw new Error("the server has the document");
  answers.pages = { getComponent: (sent) => (isOffline ? noNetwork() : getComponent(sent)) };
  await openApp("/labs", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Labs" });
  await suggestTitle("doc");
  await screen.findByText("Renamed to “Genes and Proteins”");
  isOffline = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("The title could not be changed back. Try again when you're online.");
  expect(titles).toEqual(["Genes and Proteins"]);
});

test("if no title can be suggested, the title stays and a message says why", async () => {
  const { answers, titles } = serverWith({ generateName: () => refuse("model_unavailable", "No") });
  await openApp("/labs", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Labs" });
  await suggestTitle("doc");
  await screen.findByText("No title could be suggested. Try again when you're online.");
  expect(titles).toEqual([]);
});
