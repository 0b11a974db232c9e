// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { CalendarFeed } from "#shared/connections/calendar-contract.ts";
import type { Connection } from "#shared/connections/contract.ts";
import { type Answers, noNetwork, openApp } from "#tests/kit/browser/web.tsx";
import { setAssignLocation } from "#webapp/app/navigation.ts";

const URL_OF_FEED = "https://study.example/v1/calendar/secret.ics";
const startAt = Date.UTC(2026, 10, 24, 17);
const feed: CalendarFeed = {
  url: null,
  studyAt: "17:00",
  timezone: "UTC",
  blocks: [{ day: "2026-11-24", startAt, endAt: startAt + 20 * 60_000, cards: 24, examMinutes: 0 }],
};
const google: Connection = {
  _id: "conn",
  connection_type: "google_calendar",
  is_active: true,
  email: "ada@gmail.example",
  createdAt: 0,
};

const withCalendar = (answers: NonNullable<Answers["connections"]> = {}, connections: Connection[] = []): Answers => ({
  connections: {
    listConnections: () => ({ connections }),
    getConnectionSettings: () => ({ google: { isConfigured: true, missing: [] } }),
    getCalendarFeed: () => feed,
    ...answers,
  },
});

test("the next week is shown, the feed address can be created, replaced and turned off, and the study time can be saved", async () => {
  const sent: unknown[] = [];
  const saveCalendarFeed = (asked: Readonly<Record<string, unknown>>) => {
    sent.push(asked);
    return { ...feed, studyAt: "19:30", url: asked["isOn"] === false ? null : URL_OF_FEED };
  };
  const renewCalendarFeed = () => ({ ...feed, url: `${URL_OF_FEED}?new` });
  await openApp("/connections", { signedIn: true, answers: withCalendar({ saveCalendarFeed, renewCalendarFeed }) });
  expect((await screen.findByText("24 cards")).closest("li")?.textContent).toContain("Nov 24");
  await userEvent.click(screen.getByRole("button", { name: "Get calendar address" }));
  const address = await screen.findByLabelText<HTMLInputElement>("Calendar address");
  expect(address.value).toBe(URL_OF_FEED);
  await userEvent.click(screen.getByRole("button", { name: "Replace address" }));
  await waitFor(() => expect(address.value).toBe(`${URL_OF_FEED}?new`));
  await userEvent.click(screen.getByRole("button", { name: "Turn off" }));
  await screen.findByRole("button", { name: "Get calendar address" });
  fireEvent.change(screen.getByLabelText("Study at"), { target: { value: "20:15" } });
  await userEvent.click(screen.getByRole("button", { name: "Save time" }));
  await waitFor(() => expect(sent).toEqual([{ isOn: true }, { isOn: false }, { studyAt: "20:15" }]));
});

test("connecting Google Calendar redirects to Google, and shows a message if that fails", async () => {
  const visited: string[] = [];
  setAssignLocation((address) => visited.push(address));
  let isReachable = false;
  const startGoogleCalendar = () => (isReachable ? { authUrl: "https://accounts.example" } : noNetwork());
  await openApp("/connections", { signedIn: true, answers: withCalendar({ startGoogleCalendar }) });
  const button = await screen.findByRole("button", { name: "Connect Google Calendar" });
  await userEvent.click(button);
  await screen.findByText("Failed to initiate Google Calendar OAuth. Please try again.");
  isReachable = true;
  await userEvent.click(button);
  await waitFor(() => expect(visited).toEqual(["https://accounts.example"]));
});

test("a connected calendar explains disconnecting, and offers to reconnect if access was lost", async () => {
  const lost = { ...google, is_active: false };
  await openApp("/connections", { signedIn: true, answers: withCalendar({}, [lost]) });
  await screen.findByText("Google no longer allows access. Reconnect to keep your blocks up to date.");
  expect(screen.getByRole("button", { name: "Reconnect" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Disconnect Google Calendar" })).toBeTruthy();
});
