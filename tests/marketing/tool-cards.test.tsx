// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EngineCard } from "#shared/cards/schema.ts";
import { tools } from "#shared/messages/en/public/tools.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import type { CardsMessage } from "#webapp/marketing/tools/cards-worker.ts";
import { useCards } from "#webapp/marketing/tools/use-cards.ts";
import { setToolWords } from "#webapp/marketing/tools/words.ts";

const passage = (id: string, text: string, kind: Passage["kind"]): Passage => ({
  id,
  text,
  kind,
  bold: [],
  italic: [],
  locator: {},
});
const passages = [
  passage("p1", "Zygomycota", "heading"),
  passage("p2", "A sporangium is a case that holds spores.", "paragraph"),
];
const card: EngineCard = {
  kind: "qa",
  question: "Zygomycota: What is a sporangium?",
  answer: "A case that holds spores",
  quote: "A sporangium is a case that holds spores.",
  passageId: "p2",
};

/** Makes one card from every source, because the test environment has no workers. */
class OneCardWorker extends EventTarget {
  postMessage(): void {
    const messages: CardsMessage[] = [{ type: "card", card }, { type: "end" }];
    for (const data of messages) this.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {
    // There is no worker to end.
  }
}

test.each([
  ["a file keeps the only heading with its question, as its set is named after the file", "Lecture 3", "Zygomycota"],
  ["a pasted text names its set after its only heading, which no question repeats", "", undefined],
])("%s", async (_, name, section) => {
  vi.stubGlobal("Worker", OneCardWorker);
  setToolWords(tools, "en");
  const { result } = renderHook(() => useCards(false));
  await act(() => result.current.make(name, async () => ({ passages })));
  expect(result.current.title).toBe(name || "Zygomycota");
  expect(result.current.list).toHaveLength(1);
  expect(result.current.list[0]?.question).toBe("What is a sporangium?");
  expect(result.current.list[0]?.section).toBe(section);
  vi.unstubAllGlobals();
});
