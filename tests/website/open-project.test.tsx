// @vitest-environment happy-dom
import { EditorView } from "@codemirror/view";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebsiteState } from "#shared/website/schema.ts";
import { setSessionPort, setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { CodeView } from "#webapp/website/parts/code-view.tsx";
import { openProject, openProjectAtom, renameProject } from "#webapp/website/state.ts";
import { openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const aProject = (id: string, name: string) => ({ _id: id, name, dev_url: null, createdAt: 1, updatedAt: 1 });
const aState = (id: string) => {
  const devServer = { status: "offline", dev_url: null, faults: [], build: 0 };
  const project = aProject(id, `About ${id}`);
  return WebsiteState.parse({ project, document: null, files: [], checkpoints: [], devServer, published: null });
};

/** What the server answers to a call. */
type Answer = (path: string, method: string) => unknown;
let answer: Answer = () => undefined;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  setSessionPort({ tempToken: () => Promise.resolve(undefined), handleRefusal: () => undefined });
  setTransport(async ({ path, endpoint }) => {
    const text = JSON.stringify(await answer(path, endpoint.method));
    return { text: () => Promise.resolve(text) } as never;
  });
});
afterEach(cleanup);

const shownProject = () => {
  const open = store.get(openProjectAtom);
  return open.state === "ready" ? open.data.project : open.state;
};

test("a project that arrives after another one was opened is not shown in its place", async () => {
  const first = createDeferred<WebsiteState>();
  answer = (path) => (path.includes("/slow") ? first.promise : aState("second"));
  const opening = openProject("slow");
  await openProject("second");
  first.resolve(aState("slow"));
  await opening;
  expect(shownProject()).toMatchObject({ _id: "second" });
});

test("renaming a project in the list leaves the project that was opened before as it is", async () => {
  answer = (path, method) => (method === "PATCH" || method === "PUT" ? aProject("other", "Cells") : aState("second"));
  await openProject("second");
  await renameProject("other", "Cells");
  expect(shownProject()).toMatchObject({ _id: "second", name: "About second" });
});

const ENTRY = "/src/main.tsx";

const editor = () => EditorView.findFromDOM(document.querySelector<HTMLElement>(".cm-editor") ?? document.body);

test("what is typed while a file is being saved stays in the editor as unsaved", async () => {
  const saved = createDeferred<WebsiteState>();
  answer = (_path, method) => (method === "PUT" ? saved.promise : { path: ENTRY, text: "one" });
  render(
    <Provider store={store}>
      <CodeView projectId="second" files={[{ path: ENTRY, sizeBytes: 3 }]} version="v1" faults={[]} />
    </Provider>,
  );
  await waitFor(() => expect(editor()?.state.doc.toString()).toBe("one"));
  const type = (text: string) =>
    act(() => editor()?.dispatch({ changes: { from: editor()?.state.doc.length ?? 0, insert: text } }));
  type(" two");
  act(() => screen.getByRole("button", { name: "Save file" }).click());
  type(" three");
  await act(async () => saved.resolve(aState("second")));
  expect(editor()?.state.doc.toString()).toBe("one two three");
  screen.getByText("Not saved yet");
});

test("sources that could not be loaded are shown as a failure, and load on a retry", async () => {
  let isUp = false;
  const sources = [{ id: "page:cells", kind: "page" as const, title: "Cells" }];
  const empty = { version: 1, kind: "glossary", title: "Genes", subtitle: "", language: "en", sections: [] };
  const theme = { accent: "ink", font: "sans" };
  const state = WebsiteState.parse({ ...aState("second"), document: { ...empty, theme } });
  const website = {
    getProject: () => state,
    listWebsiteThreads: () => ({ threads: [] }),
    listSiteSources: () => (isUp ? { sources } : refuse("broken", "No")),
  };
  await openApp("/website/second", { signedIn: true, answers: { website } });
  const failure = "Your sources could not be loaded";
  await screen.findByText(failure);
  isUp = true;
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Cells");
  expect(screen.queryByText(failure)).toBeNull();
});
