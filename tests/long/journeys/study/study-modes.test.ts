import { expect, test } from "vitest";
import type { Flashcard } from "#shared/flashcards/schema.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import type { Student } from "#tests/kit/student.ts";
import { allowServiceWorkers } from "#tests/kit/student.ts";

allowServiceWorkers();

const { browser, server } = await startBrowserAndServer();

const quote = "Most amino acids are specified by more than one codon";
const written: [question: string, answer: string][] = [
  ["Why is the genetic code called degenerate?", "Most amino acids have more than one codon"],
  ["What does a codon name?", "One amino acid"],
  ["Where is DNA kept in a cell?", "In the nucleus"],
  ["What reads the messenger RNA?", "The ribosome"],
  ["Which enzyme makes RNA from DNA?", "RNA polymerase"],
  ["What is the start codon?", "AUG, which names methionine"],
];
const cards: Flashcard[] = written.map(([question, answer], at) => ({
  id: `card-${at}`,
  question,
  answer,
  questionImage: null,
  citation: at === 0 ? `pdf_citation:pdf-1:4:${encodeURIComponent(quote)}` : null,
}));
const answerTo = (question: string) => written.find(([known]) => question.includes(known))?.[1] ?? "";

async function openDeck(types = { multiple_choice: true, true_false: true }) {
  const { student, user } = await registerStudent(browser, server.origin);
  const { client } = user;
  await client.user.savePreferences({ flashcards: { bucket: "all", quiz_question_types: types } });
  const pageId = await aPage(user, "Biology");
  const componentId = await aDeck(user, pageId, cards);
  const path = `/page/${pageId}/study/${componentId}`;
  const schedules = async () => (await client.study.getDeckSchedule({ componentId })).schedules;
  const settings = async () => (await client.study.getDeckSchedule({ componentId })).settings;
  return { student, client, path, componentId, schedules, settings };
}

/** The text of the first heading. */
const heading = (student: Student) =>
  student.page.$eval("h1", (title) => (title instanceof HTMLElement ? title.innerText.trim() : ""));
const key = (student: Student, name: Parameters<Student["page"]["keyboard"]["press"]>[0]) =>
  student.page.keyboard.press(name);

async function swipe({ page }: Student, by: number) {
  const box = await (await page.waitForSelector("main article"))?.boundingBox();
  if (!box) throw new Error("There is no card");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.touchscreen.touchStart(x, y);
  for (const part of [0.25, 0.5, 0.75, 1]) await page.touchscreen.touchMove(x + by * part, y);
  await page.touchscreen.touchEnd();
}

/** Moves a finger on the card by less than a swipe. The card follows that far, and returns when the finger lets go. */
async function nudge({ page }: Student, by: number, follows: number): Promise<void> {
  const readCenter = () =>
    page.$eval("main article", (card) => card.getBoundingClientRect().left + card.getBoundingClientRect().width / 2);
  const box = await (await page.waitForSelector("main article"))?.boundingBox();
  if (!box) throw new Error("There is no card");
  const [x, y, restedAt] = [box.x + box.width / 2, box.y + box.height / 3, await readCenter()];
  await page.touchscreen.touchStart(x, y);
  for (const part of [0.5, 1]) await page.touchscreen.touchMove(x + by * part, y);
  await expect.poll(async () => (await readCenter()) - restedAt).toBeCloseTo(follows, 0);
  await page.touchscreen.touchEnd();
  await expect.poll(readCenter).toBe(restedAt);
}

const PHONE = { width: 390, height: 780, hasTouch: true, isMobile: true };

/** Runs in the browser: records what would be read aloud. */
function listen(): void {
  const spoken: string[] = [];
  Object.assign(globalThis, { spoken });
  globalThis.speechSynthesis.speak = ({ text }) => void spoken.push(text);
}

const listSpoken = ({ page }: Student) => page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);

test("cards can be flipped by keyboard, read aloud, played automatically, and starred", async () => {
  const { student, client, path } = await openDeck();
  await student.page.evaluateOnNewDocument(listen);
  await student.open(`${path}?mode=flip`);
  await student.waitForText("1 of 6");
  await student.waitForText("Why is the genetic code called degenerate?");
  expect(await student.checkScreen("flip-question")).toEqual([]);
  await key(student, "Space");
  await student.waitForText("Most amino acids have more than one codon");
  expect(await student.checkScreen("flip-answer")).toEqual([]);
  await student.press("button", "Read aloud");
  await expect.poll(() => listSpoken(student)).toEqual(["Most amino acids have more than one codon"]);
  await key(student, "ArrowRight");
  await student.waitForText("2 of 6");
  await expect.poll(async () => (await listSpoken(student)).at(-1)).toBe("What does a codon name?");
  await student.press("button", "Read aloud");
  await student.page.focus("body");
  await key(student, "f");
  await student.page.waitForNetworkIdle();
  expect((await client.flashcards.listCardFavourites({})).favorites.map(({ cardId }) => cardId)).toEqual(["card-1"]);
  await client.user.savePreferences({ flashcards: { autoplay_interval_seconds: 1 } });
  await student.open(`${path}?mode=flip`);
  await student.waitForText("1 of 6");
  await student.page.waitForNetworkIdle();
  await key(student, "p");
  await student.waitForText("Pause");
  await student.waitForText("2 of 6");
  await key(student, "p");
  await student.waitForText("Play");
  await student.page.select("select[class*=study-bucket]", "favourites");
  await student.waitForText("1 of 1");
  await student.waitForText("What does a codon name?");
  await student.close();
});

test("cards can be flipped by tapping and swiped, offline too", async () => {
  const { student, path } = await openDeck();
  await student.page.setViewport(PHONE);
  await student.open(`${path}?mode=flip`);
  await student.waitForText("1 of 6");
  await student.page.waitForNetworkIdle();
  await student.page.setOfflineMode(true);
  await student.page.tap("main article .flip-face");
  await student.waitForText("Most amino acids have more than one codon");
  // The card follows the finger and returns; to the side where there is no card it hardly moves.
  for (const motion of ["no-preference", "reduce"]) {
    await student.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: motion }]);
    await nudge(student, -44, -44);
    await nudge(student, 44, 44 / 5);
    await student.waitForText("1 of 6");
  }
  await swipe(student, -160);
  await student.waitForText("2 of 6");
  expect(await student.page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await swipe(student, 160);
  await student.waitForText("1 of 6");
  await student.close();
});

test("a click turns a card, unless it selects text", async () => {
  const { student, path } = await openDeck();
  await student.open(`${path}?mode=flip`);
  await student.page.locator("main article .flip-face").click();
  await student.waitForText("Most amino acids have more than one codon");
  const box = await (await student.page.waitForSelector("main article .study-answer"))?.boundingBox();
  if (!box) throw new Error("There is no answer");
  await student.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await student.page.mouse.down();
  await student.page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
  await student.page.mouse.up();
  await student.page.locator("main article .flip-side::-p-text(Answer)").wait();
  await student.close();
});

test("pairs are matched by keyboard against the clock, wrong pairs are shown, and the best time is kept", async () => {
  const { student, path, settings } = await openDeck();
  await student.open(`${path}?mode=match`);
  await student.waitForText("Match the pairs");
  await student.waitForText("none yet");
  expect(await student.checkScreen("match-begin")).toEqual([]);
  await key(student, "Enter");
  await student.waitForText("6 pairs left");
  expect(await student.checkScreen("match")).toEqual([]);
  const choose = (name: string) => student.page.focus(`::-p-aria([name="${name}"][role="button"])`);
  await choose("Question: What is the start codon?");
  await key(student, "Enter");
  await choose("Answer: The ribosome");
  await key(student, "Enter");
  await student.waitForText("Not a match");
  await key(student, "ArrowRight");
  for (const [question, answer] of written) {
    await choose(`Question: ${question}`);
    await key(student, "Enter");
    await choose(`Answer: ${answer}`);
    await key(student, "Enter");
  }
  await student.waitForText("All matched");
  await student.waitForText("Your first time for this deck.");
  await student.waitForText("1 wrong pair");
  expect(await student.checkScreen("match-end")).toEqual([]);
  // The time is also stored on the server, so it survives deleting this browser's data.
  await expect.poll(async () => (await settings()).bestMatchMs).toBeGreaterThan(0);
  await student.page.evaluate(() => indexedDB.deleteDatabase("lamplight-study"));
  await student.page.reload();
  await student.waitForText("Match the pairs");
  await student.page.waitForFunction(() => !document.body.innerText.includes("none yet"));
  await student.close();
});

test("pairs are matched by touch, offline too", async () => {
  const { student, path } = await openDeck();
  await student.page.setViewport(PHONE);
  await student.open(`${path}?mode=match`);
  await student.waitForText("Match the pairs");
  await student.page.waitForNetworkIdle();
  await student.page.setOfflineMode(true);
  await student.page.tap("main button");
  await student.waitForText("6 pairs left");
  const tap = (name: string) => student.page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  for (const [question, answer] of written) {
    await tap(`Question: ${question}`);
    await tap(`Answer: ${answer}`);
  }
  await student.waitForText("All matched");
  await student.close();
});

test("in a browser whose storage never answers, a match ends as usual and its time reaches the server", async () => {
  const { student, path, settings } = await openDeck();
  await student.page.evaluateOnNewDocument(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await student.open(`${path}?mode=match`);
  await student.waitForText("Match the pairs");
  await key(student, "Enter");
  await student.waitForText("6 pairs left");
  for (const [question, answer] of written) {
    await student.press("button", `Question: ${question}`);
    await student.press("button", `Answer: ${answer}`);
  }
  await student.waitForText("All matched");
  expect(await student.checkScreen("match-end-silent-storage")).toEqual([]);
  await expect.poll(async () => (await settings()).bestMatchMs).toBeGreaterThan(0);
  await student.close();
});

/** Answers a question of the quiz, rightly or wrongly; resolves to the kind of question. */
async function answerQuiz(student: Student, isRight: boolean): Promise<string> {
  const { page } = student;
  await page.waitForSelector(".quiz-options, .quiz-truth, .quiz-typed");
  const right = answerTo(await heading(student));
  if (await page.$(".quiz-options")) {
    const options = await page.$$eval(".quiz-option-words", (all) =>
      all.map((option) => (option as HTMLElement).innerText),
    );
    const at = options.findIndex((option) => (option === right) === isRight);
    await key(student, String(at + 1) as "1");
    return "multiple_choice";
  }
  if (await page.$(".quiz-truth")) {
    const shown = await page.$eval(".quiz-statement", (statement) => (statement as HTMLElement).innerText);
    await key(student, (shown === right) === isRight ? "t" : "f");
    return "true_false";
  }
  const shown = await page.$("p.study-answer");
  const hidden = shown
    ? right.slice(...blankOf(right, await shown.evaluate((element) => (element as HTMLElement).innerText)))
    : right;
  await page.keyboard.type(isRight ? hidden : "the Golgi body");
  await key(student, "Enter");
  return shown ? "fill_in_the_blank" : "short_response";
}

/** The position of the hidden words in an answer that is shown with a blank. */
function blankOf(answer: string, shown: string): [from: number, to: number] {
  const [before = "", after = ""] = shown.split("\u00a0");
  return [before.length, answer.length - after.length];
}

const everyType = { multiple_choice: true, true_false: true, short_response: true, fill_in_the_blank: true };

test("a quiz of all four types by keyboard: answers are logged, hard cards resolve, missed ones can be retried", async () => {
  const { student, client, path, schedules } = await openDeck(everyType);
  await student.open(`${path}?mode=quiz`);
  await student.waitForText("6 questions from all cards");
  expect(await student.checkScreen("quiz-setup")).toEqual([]);
  await key(student, "Tab");
  await student.press("button", "Start quiz");
  const kinds = new Set<string>();
  for (let at = 1; at <= 6; at += 1) {
    await student.waitForText(`${at} of 6`);
    await student.page.waitForSelector(".quiz-options, .quiz-truth, .quiz-typed");
    if (at <= 4) expect(await student.checkScreen(`quiz-question-${at}`)).toEqual([]);
    kinds.add(await answerQuiz(student, at > 2));
    await student.waitForText(at > 2 ? "Correct" : "Incorrect");
    if (at <= 3) expect(await student.checkScreen(`quiz-told-${at}`)).toEqual([]);
    await key(student, "Enter");
  }
  expect([...kinds].toSorted()).toEqual(Object.keys(everyType).toSorted());
  await student.waitForText("4 of 6 correct");
  expect(await student.checkScreen("quiz-results")).toEqual([]);
  await student.page.waitForFunction(() => !document.body.innerText.includes("Saving"));
  await expect.poll(async () => (await schedules()).length).toBe(6);
  const hard = (await schedules()).filter(({ rightAnswersToGo }) => rightAnswersToGo > 0);
  expect(hard.map((schedule) => schedule.rightAnswersToGo)).toEqual([3, 3]);
  await student.press("button", "Retry 2 missed questions");
  for (let at = 1; at <= 2; at += 1) {
    await student.waitForText(`${at} of 2`);
    await answerQuiz(student, true);
    await student.waitForText("Hard card: 2 more correct answers in a row");
    await key(student, "Enter");
  }
  await student.waitForText("2 of 2 correct");
  expect((await client.user.getStreak({})).currentStreak).toBe(1);
  await student.close();
});

test("short answers can be typed offline, graded with their passage, overruled, and are logged later", async () => {
  const types = { multiple_choice: false, true_false: false, short_response: true, fill_in_the_blank: false };
  const { student, path, schedules } = await openDeck(types);
  await student.open(`${path}?mode=quiz`);
  await student.waitForText("6 questions from all cards");
  await student.page.waitForNetworkIdle();
  await student.page.setOfflineMode(true);
  await student.press("button", "Start quiz");
  for (let at = 1; at <= 6; at += 1) {
    await student.waitForText(`${at} of 6`);
    const isCited = (await heading(student)).includes("degenerate");
    await answerQuiz(student, !isCited);
    await student.waitForText(isCited ? "Incorrect" : "Correct");
    if (isCited) {
      await student.waitForText(quote);
      await student.waitForText("Graded by comparing words");
      expect(await student.checkScreen("quiz-told-typed")).toEqual([]);
      await student.press("button", "Mark as correct");
      await student.waitForText("Mark as incorrect");
      await student.page.focus('::-p-aria([role="button"][name="Next"])').catch(() => undefined);
    }
    await key(student, "ArrowRight");
  }
  await student.waitForText("6 of 6 correct");
  await student.page.setOfflineMode(false);
  await expect.poll(async () => (await schedules()).length).toBe(6);
  expect((await schedules()).every((schedule) => schedule.rightAnswersToGo === 0 && schedule.reps === 1)).toBe(true);
  await student.close();
});

test("a quiz and a learning session by touch, the last one offline", async () => {
  const { student, path, schedules } = await openDeck({ multiple_choice: true, true_false: false });
  await student.page.setViewport(PHONE);
  await student.open(`${path}?mode=quiz`);
  await student.waitForText("6 questions from all cards");
  await student.page.tap("button[type=submit]");
  for (let at = 1; at <= 6; at += 1) {
    await student.waitForText(`${at} of 6`);
    await student.page.waitForSelector(".quiz-options");
    const right = answerTo(await heading(student));
    const options = await student.page.$$eval(".quiz-option-words", (all) =>
      all.map((option) => (option as HTMLElement).innerText),
    );
    await student.page.tap(`.quiz-option:nth-child(${options.indexOf(right) + 1})`);
    await student.waitForText("Correct");
    await student.page.tap(".quiz-next .button-primary");
  }
  await student.waitForText("6 of 6 correct");
  await student.page.tap('a[href$="/study/' + path.split("/").at(-1) + '"]');
  await student.waitForText("Show answer");
  await student.page.tap(".study-question");
  await student.waitForText("Swipe right for Good");
  await nudge(student, 44, 44);
  await student.waitForText("Swipe right for Good");
  await swipe(student, 160);
  await student.waitForText("2 of");
  await expect.poll(async () => (await schedules()).reduce((sum, { reps }) => sum + reps, 0)).toBe(7);
  await student.page.setOfflineMode(true);
  await student.page.tap(".study-question");
  await student.waitForText("Swipe right for Good");
  await swipe(student, -160);
  await student.waitForText("3 of");
  await student.page.setOfflineMode(false);
  await expect.poll(async () => (await schedules()).reduce((sum, { reps }) => sum + reps, 0)).toBe(8);
  await student.close();
});

interface AccessibleNode {
  role: string;
  name: string;
}

/** What a screen reader would read, in order. */
async function listAccessible({ page }: Student): Promise<AccessibleNode[]> {
  type Node = { role: string; name?: string; children?: Node[] };
  const flat = ({ role, name = "", children = [] }: Node): AccessibleNode[] => [
    { role, name },
    ...children.flatMap(flat),
  ];
  const tree = (await page.accessibility.snapshot({ interestingOnly: false })) as Node | null;
  return tree ? flat(tree) : [];
}

/** The name of the first element of a role whose name begins with this text; waits until there is one. */
async function findName(student: Student, role: string, begins: string): Promise<string> {
  for (let wait = 0; wait < 60; wait += 1) {
    const found = (await listAccessible(student)).find((node) => node.role === role && node.name.startsWith(begins));
    if (found) return found.name;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const all = (await listAccessible(student)).map((node) => `${node.role} ${node.name}`).join("\n");
  throw new Error(`No ${role} "${begins}" is told: ${all}`);
}

test("a session and a quiz work through the roles and names of screen readers", async () => {
  const { student, path, schedules } = await openDeck({ multiple_choice: true, true_false: false });
  const press = async (role: string, begins: string) => student.press(role, await findName(student, role, begins));
  await student.open(path);
  for (const [question, answer] of written) {
    await findName(student, "heading", question);
    await press("button", "Show answer");
    const texts = (await listAccessible(student)).map(({ name }) => name).join(" ");
    expect(texts.replaceAll(/\s+/g, " ")).toContain(answer);
    await findName(student, "group", "How well did you know it?");
    await press("button", "Easy next review in");
  }
  await findName(student, "heading", "Done for now");
  await findName(student, "navigation", "Study modes");
  await press("link", "Quiz");
  await findName(student, "heading", "6 questions from all cards");
  await press("button", "Start quiz");
  for (let at = 0; at < written.length; at += 1) {
    await findName(student, "group", "Choose the answer");
    const headings = (await listAccessible(student)).filter(({ role }) => role === "heading").map(({ name }) => name);
    const right = headings.map(answerTo).find((answer) => answer !== "") ?? "";
    await student.press("button", right);
    await findName(student, "status", "");
    await student.waitForText("Correct");
    await press("button", at + 1 === written.length ? "See results" : "Next");
  }
  await findName(student, "heading", "6 of 6 correct");
  await student.waitForText("6 of 6 correct");
  await expect.poll(async () => (await schedules()).reduce((sum, { reps }) => sum + reps, 0)).toBe(12);
  await student.close();
});
