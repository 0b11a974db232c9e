import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "puppeteer";
import { ulid } from "ulid";
import { announcements } from "#shared/marketing/announcements.ts";
import { utcDay } from "#shared/user/days.ts";
import { sweepPayers } from "#api/billing/sweep.ts";
import { incrementUsage } from "#api/user/store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { openBrowser } from "#tests/kit/browser/browser.ts";
import { leaveForLater } from "#tests/kit/browser/browser-clock.ts";
import { openStudentAs } from "#tests/kit/browser/signed-in.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { aStripe } from "#tests/kit/servers/stripe/stripe-server.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { openStudent, openTab, type Student } from "#tests/kit/student.ts";

const DAY_MS = 86_400_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function startWorld() {
  const clock = fakeClock(Date.now());
  const stripe = await aStripe(clock);
  const api = await startApi({ clock, webFolder: "dist/web", env: { ...stripe.env, RATE_LIMIT_FACTOR: "1000" } });
  // The port is known only now, and Stripe sends the browser back to it.
  Object.assign(api.deps.settings, { PUBLIC_URL: api.origin });
  return { api, stripe };
}

async function newStudent(api: TestApi): Promise<TestUser> {
  const user = await api.newUser();
  await user.client.user.saveSettings({ onboardingComplete: true });
  await user.client.user.markFeatureSeen({ featureIds: announcements.map(({ id }) => id) });
  return user;
}

/** Uses up the day's questions, searches, episodes and completions. */
async function exhaustLimits({ deps, clock }: TestApi, { userId }: TestUser): Promise<void> {
  const now = clock.now();
  const own = ownedBy(deps.store, userId);
  const limits = { assistantMessages: 5, researchMessages: 1, podcastCreations: 1, autocompleteWords: 500 } as const;
  for (const [counter, limit] of Object.entries(limits) as [keyof typeof limits, number][])
    await incrementUsage(own, { counter, by: limit, limit, period: utcDay(now), now });
}

/** A page with a PDF that is too long for the free plan and counts as the day's upload, and a deck studied to its limit. */
async function aFullDay(api: TestApi, user: TestUser): Promise<{ pageId: string; deckId: string }> {
  const pageId = await aPage(user, "Cells");
  const lecture = tinyPdf(Array.from({ length: 12 }, (_, page) => [`Osmosis moves water across membrane ${page}.`]));
  await user.client.uploads.uploadImageComponent({ pageId, componentId: ulid() }, [
    { field: "file", file: lecture, name: "Cells.pdf" },
  ]);
  const cards = ["codon", "gene", "allele", "locus"].map((id) => aCard(id));
  const deckId = await aDeck(user, pageId, cards);
  const reviews = cards.slice(0, 3).map(({ id }) =>
    aChange("review_add", deckId, {
      _id: ulid(),
      componentId: deckId,
      cardId: id,
      grade: 4,
      reviewedAt: api.clock.now(),
      durationMs: 900,
      mode: "study",
    }),
  );
  await send(user, ...reviews);
  await exhaustLimits(api, user);
  return { pageId, deckId };
}

/** Checks that the dialog of plans is open, and closes it with Escape. */
async function closePlans(student: Student, message?: string): Promise<void> {
  const { page } = student;
  await page.waitForSelector(".plan-modal");
  if (message !== undefined) await student.waitForText(message);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".plan-modal") === null);
}

/** Reaches each limit of the free plan on its screen, except the limit of questions, which comes later. */
async function reachLimits(student: Student, { pageId, deckId }: { pageId: string; deckId: string }): Promise<void> {
  const { page } = student;
  await student.open("/research");
  await student.waitForText("My library");
  await student.type("Your question", "How do ribosomes make proteins?");
  await student.press("button", "Start research");
  await closePlans(student, "You've reached your daily research limit. Please upgrade to continue.");

  await student.open("/podcasts");
  await student.waitForText("No podcasts yet");
  await page.locator(".podcasts-head .button").click();
  await page.locator(".podcast-source").click();
  await page.locator("::-p-text(5 min)").click();
  await student.press("button", "Make podcast");
  await closePlans(student, "podcasts for today.");

  await student.open(`/page/${pageId}/study/${deckId}`);
  await student.waitForText("You've reached today's card limit");
  await student.press("button", "See plans");
  await closePlans(student);

  await student.open("/content/all");
  await student.press("button", "Upload (Limit Reached)");
  await student.press("menuitem", "See plans");
  await closePlans(student);

  await student.open(`/page/${pageId}`);
  await page.locator(".page-document").click();
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Kinetic energy is the");
  await closePlans(student, "You've reached your usage limit. Upgrade to continue!");
  // The quota is used up, so writing continues without another interruption.
  await page.locator(".page-document").click();
  await page.keyboard.type(" energy of motion");
  await student.waitForText("energy of motion");

  await student.press("button", "Make flashcards");
  await student.waitForText("This document has 12 pages. Your plan makes cards from 10 pages at a time.");
  await student.press("button", "See plans");
  await closePlans(student);
}

test("each limit opens the plans, Plus is bought, paused, resumed and cancelled, and another tab follows", async () => {
  const { api, stripe } = await startWorld();
  const user = await newStudent(api);
  const day = await aFullDay(api, user);
  const student = await openStudentAs(browser, api.origin, user);
  await reachLimits(student, day);
  await student.open("/chat");
  await student.page.waitForSelector("textarea");
  await student.page.type("textarea", "What does a codon name?");
  await student.page.keyboard.press("Enter");
  await student.waitForText("You've reached your usage limit. Upgrade to continue!");
  await student.waitForText("100 a day");
  expect(await student.checkScreen("plan-modal")).toEqual([]);
  await student.press("link", "Compare plans");
  await student.waitForText("Start free. Pay when you study more.");
  await student.waitForText("$6.33");
  expect(await student.checkScreen("pricing")).toEqual([]);

  const other = await openTab(student.page.browserContext(), api.origin);
  await other.open("/billing");
  await other.waitForText("Every feature, with daily limits.");
  expect(await other.checkScreen("billing-free")).toEqual([]);
  const studying = await openTab(student.page.browserContext(), api.origin);
  await studying.open(`/page/${day.pageId}/study/${day.deckId}`);
  await studying.waitForText("You've reached today's card limit");
  await student.page.bringToFront();
  await student.open("/content/all");
  await student.press("button", "Upload (Limit Reached)");
  await student.press("menuitem", "See plans");
  await student.waitForText("$76 a year, 20% less");
  await student.press("button", "Choose Plus");
  await student.press("button", "Pay");
  await student.waitForText("Thank you. You are now on Plus.");
  // The other tab shows the change without a reload.
  await other.waitForText("$76 a year");
  await other.waitForText("Next payment");
  expect(await student.checkScreen("billing-plus")).toEqual([]);

  // The plan is active everywhere: what was refused is allowed now, also in a session that was at its limit.
  await studying.waitForText("locus?");
  await studying.page.close();

  await student.page.bringToFront();
  await student.press("button", "Pause subscription");
  await student.waitForText("Pause for");
  await student.press("button", "Pause subscription");
  await student.waitForText("Paused until");
  await other.waitForText("Paused until");
  expect(await student.checkScreen("billing-paused")).toEqual([]);
  await student.press("button", "Resume now");
  await student.waitForText("Next payment");

  await student.press("button", "Cancel subscription");
  await student.waitForText("Why are you leaving?");
  expect(await student.checkScreen("billing-cancel")).toEqual([]);
  await student.page.select("select", "too_expensive");
  await student.press("button", "Cancel subscription");
  await student.waitForText("You are not charged again.");
  await other.waitForText("You are not charged again.");
  expect(await student.checkScreen("billing-ending")).toEqual([]);

  await other.page.close();
  await leaveForLater(student, api.clock, 366 * DAY_MS);
  await sweepPayers(api.deps);
  await student.open("/billing");
  await student.waitForText("Your Plus plan ended on");
  expect((await user.client.user.getUsage({})).assistantMessages).toBe(0);
  expect((await user.client.study.getDeckSchedule({ componentId: day.deckId })).dailyLimit).toBe(3);
  expect(await student.checkScreen("billing-ended")).toEqual([]);
  // The only account of this installation is its administrator, who reads why somebody left.
  await student.open("/admin");
  await student.waitForText("Payments to look at");
  await student.waitForText("Too expensive");
  expect(await student.checkScreen("admin-payments")).toEqual([]);
  const [subscription] = stripe.subscriptions.values();
  expect(subscription).toMatchObject({ status: "canceled", cancellation_details: { feedback: "too_expensive" } });
  await student.close();
});

test("after a failed payment the end of the plan is shown; prices are the same in German and for visitors", async () => {
  const { api, stripe } = await startWorld();
  const user = await newStudent(api);
  const { url } = await user.client.billing.startCheckout({ plan: "ULTIMATE", rec: "monthly" });
  await fetch(url, { method: "POST", redirect: "manual" });
  await stripe.deliver(api.origin);
  await user.client.user.savePreferences({ appearance: { language: "de" } });
  const student = await openStudentAs(browser, api.origin, user);
  await student.open("/billing");
  await student.press("button", "Ich habe einen Code");
  await student.type("Rabattcode", "EXPIRED");
  await student.press("button", "Code einlösen");
  await student.waitForText("Dieser Code ist nicht gültig.");
  expect(await student.checkScreen("billing-code-de")).toEqual([]);
  await student.type("Rabattcode", "STUDY20");
  await student.press("button", "Code einlösen");
  await student.waitForText("20\u00A0% Rabatt auf jede Zahlung bis");
  await student.press("button", "Ich habe einen Code");
  await student.type("Rabattcode", "ONE_EURO");
  await student.press("button", "Code einlösen");
  await student.waitForText("Dieser Code ersetzt deinen Rabatt");
  expect(await student.checkScreen("billing-code-replaces-de")).toEqual([]);
  await student.press("button", "Meinen Rabatt behalten");
  // The student looked at invoices and bought nothing.
  await student.press("button", "Rechnungen und Zahlungsart");
  await student.press("button", "Confirm");
  await student.waitForText("Nächste Zahlung");
  expect(await student.readScreen()).not.toContain("Danke");
  expect(await student.checkScreen("billing-de")).toEqual([]);
  const [subscription] = stripe.subscriptions.values();
  stripe.failRenewal(subscription?.id ?? "");
  await stripe.deliver(api.origin);
  await student.waitForText("Deine letzte Zahlung ist fehlgeschlagen");
  expect(await student.checkScreen("billing-past-due-de")).toEqual([]);
  await student.open("/pricing");
  await student.waitForText("Kostenlos anfangen.");
  await student.waitForText("Dein Tarif");
  expect(await student.checkScreen("pricing-de")).toEqual([]);
  await student.close();

  const visitor = await openStudent(browser, api.origin);
  await visitor.open("/pricing");
  await visitor.waitForText("$6.33");
  expect(await visitor.checkScreen("pricing-visitor")).toEqual([]);
  await visitor.press("link", "Choose Plus");
  await visitor.waitForText("Welcome back");
  await visitor.close();
});

test("where nothing is sold, pricing and billing say how a plan is given; the calendar has an address", async () => {
  const api = await startApi({ clock: fakeClock(Date.now()), webFolder: "dist/web" });
  const operator = await newStudent(api);
  const student = await openStudentAs(browser, api.origin, operator);
  await student.open("/pricing");
  await student.waitForText("npm run plan --");
  await student.waitForText("Set the plan of an account");
  expect(await student.checkScreen("pricing-unset")).toEqual([]);
  await student.open("/billing");
  await student.waitForText("Nothing is charged on this server.");
  expect(await student.checkScreen("billing-unset")).toEqual([]);
  const pageId = await aPage(operator, "Cells");
  const deckId = await aDeck(operator, pageId, [aCard("codon")]);
  const examAt = api.clock.now() + 5 * DAY_MS;
  await operator.client.study.saveExam({ componentIds: [deckId], examAt, minutesPerDay: 30 });
  await student.open("/connections");
  await student.waitForText("30 min for your exam");
  await student.press("button", "Get calendar address");
  await student.waitForText("Replace address");
  expect(await student.checkScreen("connections-calendar")).toEqual([]);
  await operator.client.user.savePreferences({ appearance: { language: "de" } });
  await student.open("/connections");
  await student.waitForText("Adresse ersetzen");
  expect(await student.checkScreen("connections-calendar-de")).toEqual([]);
  await student.close();
});
