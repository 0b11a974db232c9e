// @vitest-environment happy-dom
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { expect, onTestFinished, test } from "vitest";
import { Annotation } from "#shared/pdf/annotations.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { openAnnotations } from "#webapp/pdf/annotations/annotations.ts";
import { AnnotationList } from "#webapp/pdf/parts/annotation-list.tsx";
import { ada, openApp } from "#tests/kit/browser/web.tsx";

const aHighlight = (id: string, page: number) =>
  Annotation.parse({
    _id: `highlight-${id}`,
    componentId: "file-of-this-test",
    page,
    quote: `Words ${id}`,
    color: "yellow",
    prefix: "",
    suffix: "",
    note: "",
    places: [{ page, rects: [[1, 1, 10, 10]] }],
    createdAt: 1,
    modifiedAt: 1,
  });

test("a note being written stays while the note of another highlight is looked at", async () => {
  const annotations = [aHighlight("one", 1), aHighlight("two", 2)];
  await openApp("/home", { signedIn: true, answers: { pdf: { listAnnotations: () => ({ annotations }) } } });
  await waitFor(() => expect(store.get(accountIdAtom)).toBe(ada._id));
  onTestFinished(openAnnotations("file-of-this-test"));
  render(
    <Provider store={store}>
      <AnnotationList onNavigate={() => undefined} />
    </Provider>,
  );
  const user = userEvent.setup();
  await user.click((await screen.findAllByRole("button", { name: "Edit note" }))[0] ?? document.body);
  await user.type(screen.getByRole("textbox", { name: "Note on “Words one”" }), "Ask about this");
  await user.click(screen.getByRole("button", { name: "Edit note" }));
  screen.getByRole("textbox", { name: "Note on “Words two”" });
  await user.click(screen.getByRole("button", { name: "Edit note" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note on “Words one”" });
  expect(field.value).toBe("Ask about this");
});
