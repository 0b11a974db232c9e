import { expect } from "vitest";
import type { TestUser } from "#tests/kit/api.ts";
import type { Student } from "#tests/kit/student.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";

/** Rates the answer on the screen as good. */
export async function praiseAnswer(student: Student): Promise<void> {
  await student.press("button", "Good answer");
  await student.waitForText("Thank you.");
  await student.page.waitForSelector('[aria-label="Good answer"][aria-pressed="true"]');
}

/** Rates a card of a deck as bad, with a reason, and shares its text. */
export async function criticiseCard(student: Student, user: TestUser): Promise<void> {
  const pageId = await aPage(user, "Cells");
  const deckId = await aDeck(user, pageId, [aCard("codon", "What is a codon?")]);
  await student.open(`/page/${pageId}/study/${deckId}`);
  await student.waitForText("Show answer");
  await student.press("button", "Card actions");
  await student.press("menuitem", "Bad card");
  await student.waitForText("What was wrong?");
  await student.type("Reason", "Too vague");
  await student.press("checkbox", "Share this text with the people who run this server");
  expect(await student.checkScreen("rate-card")).toEqual([]);
  await student.press("button", "Send");
  await student.waitForText("Thank you.");
}

/** Checks the administrator's list: both ratings, and text only of the card, which the student shared. */
export async function findRatings(student: Student): Promise<void> {
  await student.open("/admin/completion_feedback");
  await student.waitForText("Too vague");
  await student.waitForText("Thumbs by week");
  const rows = await student.page.$$eval(".admin-table tbody tr", (all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  );
  const counts = rows.filter(([, model]) => model === "test-model" || model === "none").map(([kind]) => kind);
  expect(counts).toContain("Cards");
  // The table of counts by model lists the same kinds, but without thumbs.
  const shown = rows.map((cells) => cells.slice(0, 4)).filter(([, thumb]) => thumb === "Up" || thumb === "Down");
  expect(shown).toEqual([
    ["Cards", "Down", "Too vague", expect.stringContaining("What is a codon?")],
    ["Answers", "Up", "–", "Not shared"],
  ]);
  expect(await student.checkScreen("rate-admin")).toEqual([]);
}
