// @vitest-environment happy-dom
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Provider, useAtomValue } from "jotai/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "#shared/contract/failure.ts";
import { applySiteEdit } from "#shared/website/rules.ts";
import { WebsiteState, type SiteEdit } from "#shared/website/schema.ts";
import { setSessionPort, setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { SectionList } from "#webapp/website/parts/section-list.tsx";
import { openProject, openProjectAtom } from "#webapp/website/state.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const terms = Array.from({ length: 51 }, (_, at) => ({
  id: `term-${at}`,
  citation: null,
  label: "",
  source: "Notes",
  text: `Term ${at}`,
}));
const section = { kind: "glossary", sourceIds: [], items: [] } as const;
const document = {
  version: 1,
  kind: "glossary",
  title: "Genes",
  subtitle: "",
  language: "en",
  theme: { accent: "ink", font: "sans" },
  sections: [
    { ...section, id: "a", title: "Words" },
    { ...section, id: "b", title: "Terms", items: terms },
  ],
} as const;

let state: WebsiteState;
let isRefused = false;
/** Edits are answered once this promise resolves. */
let answer = Promise.resolve();

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  isRefused = false;
  answer = Promise.resolve();
  const project = { _id: "p1", name: "Genes", dev_url: null, createdAt: 1, updatedAt: 1 };
  const devServer = { status: "offline", dev_url: null, faults: [], build: 0 };
  state = WebsiteState.parse({ project, document, files: [], checkpoints: [], devServer, published: null });
  setSessionPort({ tempToken: () => Promise.resolve(undefined), handleRefusal: () => undefined });
  setTransport(async ({ path, body }) => {
    if (path.endsWith("/edit") && body.kind === "json") {
      await answer;
      if (isRefused) throw new Failure("bad_input", { message: "This title cannot be used." });
      const { edits } = JSON.parse(body.text) as { edits: SiteEdit[] };
      state = { ...state, document: state.document && edits.reduce(applySiteEdit, state.document) };
    }
    const text = JSON.stringify(state);
    return { text: () => Promise.resolve(text) } as never;
  });
  await openProject("p1");
  render(
    <Provider store={store}>
      <Shown />
    </Provider>,
  );
});
afterEach(cleanup);

function Shown() {
  const open = useAtomValue(openProjectAtom);
  const sections = open.state === "ready" ? (open.data.document?.sections ?? []) : [];
  return <SectionList projectId="p1" sections={sections} />;
}

const titles = () => screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);

test("pressing an arrow while a title is being saved also moves its section, and the field keeps the focus", async () => {
  const user = userEvent.setup();
  const { promise, resolve } = createDeferred<void>();
  answer = promise;
  const field = screen.getByRole("textbox", { name: "Rename “Words”" });
  await user.clear(field);
  await user.type(field, "Glossary");
  await user.click(screen.getByRole("button", { name: "Move “Words” down" }));
  act(() => resolve());
  await waitFor(() => expect(titles()).toEqual(["Terms", "Glossary"]));
  await user.type(screen.getByRole("textbox", { name: "Rename “Terms”" }), "!{Enter}");
  const renamed = await screen.findByRole("textbox", { name: "Rename “Terms!”" });
  expect(window.document.activeElement).toBe(renamed);
});

test("a refused title is replaced by the stored one", async () => {
  isRefused = true;
  await userEvent.setup().type(screen.getByRole("textbox", { name: "Rename “Words”" }), "!{Enter}");
  await waitFor(() => expect(titles()).toEqual(["Words", "Terms"]));
});

test("items after the first fifty are shown on request", async () => {
  expect(screen.queryByText("Term 50")).toBeNull();
  await userEvent.setup().click(screen.getByText("Show all 51 lines"));
  expect(screen.getByText("Term 50")).toBeDefined();
});
