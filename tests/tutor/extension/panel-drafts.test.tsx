// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { act, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Failure } from "#shared/contract/failure.ts";
import { words } from "#extension/words/words.ts";
import { TutorPanel } from "#extension/tutor/tutor-panel.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const answered = createDeferred<undefined>();
const asked: string[] = [];
vi.mock("#extension/platform/tabs.ts", () => ({ onTabLeft: () => () => undefined }));
vi.mock("#extension/app/client.ts", () => ({
  client: {
    tutor: {
      async getThread() {
        throw new Failure("not_found", "no_conversation");
      },
      async *ask({ text, answerId }: { text: string; answerId: string }) {
        asked.push(text);
        yield { type: "started", seq: 0, answerId };
        await answered.promise;
        yield { type: "error", seq: 1, code: "cancelled", message: "Stopped." };
      },
    },
  },
}));

const panelFor = (url: string) => (
  <TutorPanel
    tab={{ id: 1, windowId: 1, url, title: url }}
    capturePage={async () => ({ pageId: "page", componentId: null, address: url })}
    readSelection={async () => null}
    show={async () => undefined}
  />
);
const [CELLS, LEAVES] = ["https://lectures.example.org/cells", "https://lectures.example.org/leaves"];
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");

test("a question being written stays when its answer ends and while another tab is active", async () => {
  const user = userEvent.setup();
  const { rerender } = render(panelFor(CELLS));
  await user.type(field(), "What is a codon?{Enter}");
  await vi.waitFor(() => expect(asked).toEqual(["What is a codon?"]));
  await user.clear(field());
  await user.type(field(), "And a ribosome?");
  rerender(panelFor(LEAVES));
  expect(field().value).toBe("");
  rerender(panelFor(CELLS));
  expect(field().value).toBe("And a ribosome?");
  await act(async () => answered.resolve(undefined));
  await screen.findByRole("button", { name: words.ask });
  expect(field().value).toBe("And a ribosome?");
});
