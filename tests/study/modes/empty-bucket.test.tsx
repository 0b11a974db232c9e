// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { replay } from "#shared/study/rules.ts";
import { EmptyBucketState } from "#webapp/study/empty-bucket-state.tsx";

const cards = ["one", "two"].map((id) => ({ id }) as Flashcard);
const known = (cardId: string) => {
  const schedule = replay([{ _id: `review-${cardId}`, cardId, componentId: "deck", grade: 4, reviewedAt: 1 }]);
  return schedule ? [[cardId, schedule] as const] : [];
};

afterEach(cleanup);

function show(answered: readonly string[]): string[] {
  const chosen: string[] = [];
  render(
    <EmptyBucketState
      bucket="due"
      cards={cards}
      schedules={new Map(answered.flatMap(known))}
      studyAllCards={() => chosen.push("all")}
      studyNewCards={() => chosen.push("new")}
    />,
  );
  return chosen;
}

test("if nothing is due, new cards are offered", async () => {
  const chosen = show([]);
  await userEvent.setup().click(screen.getByRole("button", { name: "Study 2 new cards" }));
  expect(chosen).toEqual(["new"]);
});

test("if nothing is due and no card is new, all cards are offered", async () => {
  const chosen = show(["one", "two"]);
  await userEvent.setup().click(screen.getByRole("button", { name: "Study all 2 cards" }));
  expect(chosen).toEqual(["all"]);
});
