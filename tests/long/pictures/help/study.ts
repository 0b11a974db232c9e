import { ulid } from "ulid";
import { screenPath } from "#shared/screens.ts";
import { aChange, send } from "#tests/store/changes.ts";
import { type Scene, scrollToHeading } from "./scene.ts";

const DAY_MS = 86_400_000;

export async function takeStudy({ student, words, pageId, deckId, take }: Scene): Promise<void> {
  await student.open(screenPath("study", { id: pageId, flashcard: deckId }));
  await student.waitForText(words.study.show);
  await student.page.keyboard.press("Space");
  await student.waitForText(words.study.good);
  await take("study/study");
}

/** Pictures of autoplay, the choice of cards above a session, and a quiz. */
export async function takeModes({ student, words, pageId, deckId, take }: Scene): Promise<void> {
  const { page } = student;
  const study = screenPath("study", { id: pageId, flashcard: deckId });
  await student.open(`${study}?mode=flip`);
  await page.waitForSelector("select[class*=study-bucket]");
  await page.select("select[class*=study-bucket]", "all");
  await student.waitForText(words.modes.flip_play);
  await take("study/autoplay");
  await student.open(study);
  await student.waitForText(words.study.show);
  await page.select("select[class*=study-bucket]", "all");
  await page.focus("select[class*=study-bucket]");
  await take("study/buckets");
  await student.open(`${study}?mode=quiz`);
  await student.waitForText(words.quiz.type_fill_in_the_blank);
  await take("study/quiz");
  // Leaves only multiple-choice questions.
  await student.press("checkbox", words.quiz.type_true_false);
  await page.locator(".quiz-start button").click();
  await page.waitForSelector(".quiz-options");
  await take("study/quiz-question");
}

/** Six weeks of reviews, with a rest day now and then; the last five days in a row. */
function buildReviews(componentId: string, cardIds: string[]) {
  const days = Array.from({ length: 42 }, (_, at) => 41 - at).filter((ago) => ago < 5 || ago % 5 !== 0);
  return days.flatMap((ago) =>
    cardIds
      .filter((_, at) => (at + ago) % 4 === 0)
      .map((cardId, at) => ({
        _id: ulid(),
        cardId,
        componentId,
        grade: (at + ago) % 9 === 0 ? (1 as const) : (3 as const),
        reviewedAt: Date.now() - ago * DAY_MS - at * 20_000,
        durationMs: 5000 + at * 700,
        mode: "study" as const,
      })),
  );
}

/** Pictures of statistics after six weeks of study. These reviews also show in every later picture. */
export async function takeStatistics({ user, student, words, deckId, pageId, take }: Scene): Promise<void> {
  const { components } = await user.client.pages.getPage({ id: pageId });
  const cards = components.flatMap((component) => (component.type === "flash_cards" ? component.content.cards : []));
  const reviews = buildReviews(
    deckId,
    cards.map(({ id }) => id),
  );
  await send(user, ...reviews.map((review) => aChange("review_add", deckId, review)));
  await student.open(screenPath("home", {}));
  await student.waitForText(words.home.statistics);
  await student.press("link", words.home.statistics);
  await student.waitForText(words.planning.streak);
  await take("study/streak");
  await student.waitForText(words.planning.forecast);
  await scrollToHeading(student, words.planning.forecast);
  await take("study/statistics");
}
