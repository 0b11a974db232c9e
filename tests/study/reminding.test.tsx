// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { dueReminderDay, buildReminder } from "#shared/study/reminder.ts";
import { Preferences } from "#shared/user/schema.ts";
import { noNetwork, openApp, type Answers } from "#tests/kit/browser/web.tsx";
import type { BrowserNotification } from "#webapp/app/browser/browser-notifications.ts";
import { showReminderIfDue, type ReminderDeps } from "#webapp/study/home/reminders.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
// 17:00 in London, where Ada is: in November that is UTC.
const FIVE = Date.UTC(2026, 10, 20, 17);

const aDeck = (title: string, due: number) => ({
  componentId: `deck-${title}`,
  pageId: "page",
  title,
  due,
  fresh: 3,
  introduced: 0,
  total: 20,
  examAt: null,
  minutesPerDay: null,
  examId: null,
});
const wish = (isOn: boolean, at = "17:00") => ({ notifications: { due_cards: isOn, due_at: at } });

test("a reminder comes within four hours after the chosen time, by the student's own clock", () => {
  const london = { at: "17:00", timezone: "Europe/London" };
  expect(dueReminderDay(london, FIVE - 1)).toBeUndefined();
  expect(dueReminderDay(london, FIVE)).toBe("2026-11-20");
  expect(dueReminderDay(london, FIVE + 4 * HOUR_MS - 1)).toBe("2026-11-20");
  expect(dueReminderDay(london, FIVE + 4 * HOUR_MS)).toBeUndefined();
  // In Auckland it is the next morning.
  expect(dueReminderDay({ at: "06:30", timezone: "Pacific/Auckland" }, FIVE)).toBeUndefined();
  expect(dueReminderDay({ at: "06:30", timezone: "Pacific/Auckland" }, FIVE + HOUR_MS)).toBe("2026-11-21");
  // Not past midnight: a late evening's notice ends with its day.
  expect(dueReminderDay({ at: "23:30", timezone: "Europe/London" }, FIVE + 7 * HOUR_MS)).toBeUndefined();
});

test("a reminder counts the due cards and opens the deck with the most; with nothing due there is none", () => {
  expect(buildReminder([])).toBeUndefined();
  expect(buildReminder([aDeck("Genes", 0)])).toBeUndefined();
  expect(buildReminder([aDeck("Genes", 2), aDeck("Cells", 7), aDeck("Maths", 0)])).toMatchObject({
    count: 9,
    deck: { title: "Cells" },
  });
});

let days = 0;

/** Ada with these wishes, and a browser that shows notices; each has a day of its own. */
async function aBrowser(answers: Answers, permission: NotificationPermission = "granted") {
  days += 1;
  const world = { now: FIVE + days * 7 * DAY_MS, isLooking: false, shown: [] as BrowserNotification[] };
  const deps: ReminderDeps = {
    now: () => world.now,
    permission: () => permission,
    isWindowFocused: () => world.isLooking,
    show: async (notice) => {
      world.shown.push(notice);
      return true;
    },
  };
  const app = await openApp("/settings", { signedIn: true, answers });
  await screen.findByRole("heading", { name: "Sign-in" });
  await waitFor(() => expect(app.calls).toContain("user.getPreferences"));
  return { app, world, remind: () => showReminderIfDue(deps) };
}

const holding = (wishes: object, ...decks: ReturnType<typeof aDeck>[]): Answers => ({
  user: { getPreferences: () => Preferences.parse(wishes), savePreferences: (sent) => Preferences.parse(sent) },
  study: { getDue: () => ({ decks }) },
});

test("one silent reminder a day shows what is due and opens the session, and the next comes the day after", async () => {
  const { world, remind: look } = await aBrowser(holding(wish(true), aDeck("Cells", 7), aDeck("Genes", 2)));
  world.now -= 60_000;
  await look();
  expect(world.shown).toEqual([]);
  world.now += 60_000;
  await Promise.all([look(), look()]);
  world.now += HOUR_MS;
  await look();
  expect(world.shown).toEqual([
    {
      title: "9 cards are due",
      body: "Start with “Cells”",
      tag: "lamplight-due",
      path: "/page/page/study/deck-Cells",
    },
  ]);
  // The laptop sleeps for three days: one notice, not three.
  world.now += 3 * DAY_MS;
  await look();
  await look();
  expect(world.shown).toHaveLength(2);
});

test("no reminder comes when nothing is due, and one as soon as something is", async () => {
  let decks = [aDeck("Cells", 0)];
  const { world, remind: look } = await aBrowser({ ...holding(wish(true)), study: { getDue: () => ({ decks }) } });
  await look();
  decks = [aDeck("Cells", 1)];
  world.now += HOUR_MS;
  await look();
  expect(world.shown.map(({ title }) => title)).toEqual(["1 card is due"]);
});

test("no reminder comes on a day when Lamplight is open", async () => {
  const { world, remind: look } = await aBrowser(holding(wish(true), aDeck("Cells", 7)));
  world.isLooking = true;
  await look();
  world.isLooking = false;
  await look();
  expect(world.shown).toEqual([]);
});

test("no reminder comes unless requested", async () => {
  const { world, remind: look } = await aBrowser(holding(wish(false), aDeck("Cells", 7)));
  await look();
  expect(world.shown).toEqual([]);
});

test("no reminder comes without the browser's permission", async () => {
  const { world, remind: look } = await aBrowser(holding(wish(true), aDeck("Cells", 7)), "denied");
  await look();
  expect(world.shown).toEqual([]);
});

test("offline, the last loaded data is used, and without any there is no reminder", async () => {
  const { world, remind: look } = await aBrowser({ ...holding(wish(true)), study: { getDue: noNetwork } });
  await look();
  expect(world.shown).toEqual([]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

/** A browser that asks, and gets this answer. */
function asking(answer: NotificationPermission) {
  const asked = vi.fn(async () => answer);
  vi.stubGlobal("Notification", { permission: "default", requestPermission: asked });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { getRegistration: async () => undefined },
  });
  return asked;
}

async function settings(wishes: object) {
  const saved: Preferences[] = [];
  const savePreferences = (sent: unknown) => {
    saved.push(Preferences.parse(sent));
    return Preferences.parse(sent);
  };
  const getPreferences = () => Preferences.parse(wishes);
  await openApp("/settings", { signedIn: true, answers: { user: { getPreferences, savePreferences } } });
  await screen.findByRole("heading", { name: "Reminders" });
  return { saved, user: userEvent.setup() };
}

const SWITCH = "Remind me daily when cards are due";

test("turning reminders on asks the browser, and one click turns them off", async () => {
  const asked = asking("granted");
  const { saved, user } = await settings({});
  expect(asked).not.toHaveBeenCalled();
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  expect(asked).toHaveBeenCalledOnce();
  await waitFor(() => expect(saved.at(-1)?.notifications).toEqual({ due_cards: true, due_at: "17:00" }));
  const at = await screen.findByLabelText("At");
  await user.clear(at);
  await user.type(at, "08:15");
  await user.tab();
  await waitFor(() => expect(saved.at(-1)?.notifications.due_at).toBe("08:15"));
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  await waitFor(() => expect(saved.at(-1)?.notifications.due_cards).toBe(false));
});

test.each([
  ["denied", /Notifications are blocked/],
  ["default", /so reminders stay off/],
] as const)("a browser that answers %s leaves them off and shows what to do", async (answer, words) => {
  asking(answer);
  const { saved, user } = await settings({});
  await user.click(screen.getByRole("switch", { name: SWITCH }));
  await screen.findByText(words);
  expect(saved).toEqual([]);
});

test("reminders turned on in another browser can be allowed here with one click", async () => {
  const asked = asking("granted");
  const { user } = await settings(wish(true));
  await user.click(await screen.findByRole("button", { name: "Allow in this browser" }));
  expect(asked).toHaveBeenCalledOnce();
  await screen.findByText(/One notification a day/);
});

test("a browser without notifications shows a message", async () => {
  await settings({});
  await screen.findByText(/can't show notifications for this address/);
});
