// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Provider } from "jotai/react";
import { expect, test, vi } from "vitest";
import { t } from "#shared/messages/translate.ts";
import { announcements, unseenAnnouncements } from "#shared/marketing/announcements.ts";
import { Preferences, type User } from "#shared/user/schema.ts";
import { track } from "#webapp/app/analytics.ts";
import { closeOverlay, openOverlay } from "#webapp/app/overlays.ts";
import { setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { type RatedItem, useRating } from "#webapp/feedback/use-rating.tsx";
import { changePreferences } from "#webapp/app/preferences.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { ada, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

const success = { success: true } as const;

test("'Report bug' opens the feedback modal, which sends the whole path and closes", async () => {
  let sent: unknown;
  const sendAnonymousFeedback = (input: unknown) => {
    sent = input;
    return success;
  };
  await openApp("/no/such/place", { answers: { feedback: { sendAnonymousFeedback } } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Report bug" }));
  const dialog = await screen.findByRole("dialog", { name: "Send feedback" });
  const send = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Send" });
  expect(send.disabled).toBe(true);
  await user.selectOptions(within(dialog).getByLabelText("Type"), "I Have an Idea");
  await user.type(within(dialog).getByLabelText("What happened, or what would you like to see?"), "More light");
  await user.type(within(dialog).getByLabelText("Email (optional)"), "eve@example.org");
  await user.click(send);
  await screen.findByText("Feedback submitted!");
  expect(sent).toMatchObject({
    feedback: "More light",
    category: "I Have an Idea",
    email: "eve@example.org",
    mode: "detailed",
  });
  expect(screen.queryByRole("dialog", { name: "Send feedback" })).toBeNull();
});

test("feedback that fails to send shows an error and keeps the text; signed-in students aren't asked for an address", async () => {
  await openApp("/home", {
    signedIn: true,
    answers: { feedback: { sendFeedback: () => refuse("broken", "No") } },
  });
  await screen.findByRole("heading", { name: "Hello, Ada" });
  act(() => openOverlay("feedback"));
  const dialog = await screen.findByRole("dialog", { name: "Send feedback" });
  expect(within(dialog).queryByLabelText("Email (optional)")).toBeNull();
  const user = userEvent.setup();
  const text = within(dialog).getByLabelText<HTMLTextAreaElement>("What happened, or what would you like to see?");
  await user.type(text, "More light");
  await user.click(within(dialog).getByRole("button", { name: "Send" }));
  await screen.findByText("Failed to submit feedback, please try again");
  expect(text.value).toBe("More light");
  act(closeOverlay);
});

const GB = 1024 ** 3;
const price = {
  currency: "USD",
  currency_format: "${price}",
  country_code: "US",
  monthly: 8,
  yearly: 76,
  yearly_discount_percent: 20,
};

test("a call refused at a limit opens the plans, which on a server without payments say whom to ask", async () => {
  await openApp("/settings", {
    signedIn: true,
    answers: {
      auth: { listSessions: () => refuse("limit_reached", "Over") },
      billing: {
        getRegionalPrice: () => ({ PLUS: price, ULTIMATE: price }),
        getPaymentSettings: () => ({
          isConfigured: false,
          storageBytes: { FREE: GB, PLUS: 20 * GB, ULTIMATE: 100 * GB },
          newAccountPlan: "FREE",
          operator: { name: null, email: null },
        }),
      },
    },
  });
  const dialog = await screen.findByRole("dialog", { name: "Your plan" });
  within(dialog).getByText("Over");
  await within(dialog).findByText("For higher limits, ask the person who runs this server.");
  expect(within(dialog).getByRole("link", { name: "Compare plans" }).getAttribute("href")).toBe("/pricing");
  act(closeOverlay);
});

test("a question mark opens the keyboard shortcuts, except while typing", async () => {
  await openApp("/settings", { signedIn: true });
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "?");
  expect(screen.queryByRole("dialog", { name: "Help and shortcuts" })).toBeNull();
  await user.click(screen.getByRole("heading", { name: "Settings" }));
  await user.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Help and shortcuts" });
  expect(within(dialog).getByRole("link", { name: "All help articles" }).getAttribute("href")).toBe("/help");
  act(closeOverlay);
});

/** The overlays are loaded after the screen; from then on `?` opens the help. */
async function waitForOverlays(): Promise<void> {
  await waitFor(() => {
    fireEvent.keyDown(window, { key: "?" });
    screen.getByRole("dialog", { name: "Help and shortcuts" });
  });
  act(closeOverlay);
}

test("shows the three newest unseen features once; a press within 200 ms of opening closes nothing", async () => {
  expect(unseenAnnouncements([announcements[0]?.id ?? ""])).toEqual(announcements.slice(1));
  let seen: unknown;
  const markFeatureSeen = ({ featureIds }: Readonly<Record<string, unknown>>) => {
    seen = featureIds;
    return { user: { ...ada, seenFeatures: featureIds as string[] } };
  };
  const fresh = { ...ada, seenFeatures: [] };
  const account = createDeferred<{ user: User; organization: null; tempToken: string }>();
  const clock = vi.spyOn(performance, "now").mockReturnValue(500);
  await openApp("/home", {
    signedIn: true,
    answers: { auth: { getUser: () => account.promise }, user: { markFeatureSeen } },
  });
  await waitForOverlays();
  // They open when the account has loaded.
  clock.mockReturnValue(1000);
  account.resolve({ user: fresh, organization: null, tempToken: "temp" });
  const dialog = await screen.findByRole("dialog", { name: "What's new" });
  expect(within(dialog).getAllByRole("heading", { level: 3 })).toHaveLength(3);
  const user = userEvent.setup();
  const close = within(dialog).getByRole("button", { name: "Close" });
  clock.mockReturnValue(1199);
  await user.click(close);
  expect(seen).toBeUndefined();
  clock.mockReturnValue(1200);
  await user.click(close);
  await waitFor(() => expect(seen).toEqual(announcements.map(({ id }) => id)));
  clock.mockRestore();
  expect(screen.queryByRole("dialog", { name: "What's new" })).toBeNull();
});

test("the changelog lists every announcement", async () => {
  await openApp("/changelog");
  await screen.findByRole("heading", { name: "What's new" });
  for (const { title } of announcements) screen.getByRole("heading", { name: t(title) });
});

test("an event of one name is sent at most once a second, and only with consent", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const sent: unknown[] = [];
  const sendEvents = ({ events }: Readonly<Record<string, unknown>>) => {
    sent.push(events);
    return success;
  };
  const on = Preferences.parse({ analytics: { enabled: true } });
  const app = await openApp("/settings", { signedIn: true, answers: { feedback: { sendEvents } } });
  await screen.findByRole("heading", { name: "Settings" });
  track("alert_error");
  expect(sent).toEqual([]);
  app.unmount();
  await openApp("/settings", {
    signedIn: true,
    answers: { feedback: { sendEvents }, user: { getPreferences: () => on, savePreferences: () => on } },
  });
  await act(() => changePreferences(() => on));
  for (const wait of [0, 999, 1]) {
    vi.setSystemTime(Date.now() + wait);
    track("alert_error");
  }
  await waitFor(() => expect(sent).toHaveLength(2));
  vi.useRealTimers();
});

/** A server that receives ratings and answers each when the test says so. */
function aRatingServer() {
  const sent: unknown[] = [];
  const answers: (() => void)[] = [];
  setTransport(async ({ body }) => {
    if (body.kind === "json") sent.push(JSON.parse(body.text));
    const answer = createDeferred<void>();
    answers.push(() => answer.resolve());
    await answer.promise;
    return replyWith(JSON.stringify(success));
  });
  return { sent, answerNext: () => act(async () => answers.shift()?.()) };
}

function Rated(item: RatedItem) {
  const { value, rate, dialog } = useRating(item);
  return (
    <>
      <button type="button" aria-pressed={value === "down"} onClick={() => void rate("down")}>
        Bad
      </button>
      {dialog}
    </>
  );
}

const showRated = (id: string) => (
  <Provider store={store}>
    <Rated kind="card" id={id} text={`Text of ${id}`} />
  </Provider>
);

test("a second press before the thumb is stored changes nothing, so the question for a reason fits the thumb", async () => {
  const { sent, answerNext } = aRatingServer();
  render(showRated("pressed-twice"));
  const thumb = screen.getByRole("button", { name: "Bad" });
  await userEvent.dblClick(thumb);
  expect(thumb.getAttribute("aria-pressed")).toBe("true");
  await answerNext();
  screen.getByRole("dialog", { name: t("rating.title") });
  expect(sent).toMatchObject([{ id: "pressed-twice", value: "down" }]);
  cleanup();
});

test("the reason belongs to the card that was rated, even if the next card is shown when the answer arrives", async () => {
  const { sent, answerNext } = aRatingServer();
  const { rerender } = render(showRated("rated-card"));
  await userEvent.click(screen.getByRole("button", { name: "Bad" }));
  rerender(showRated("next-card"));
  await answerNext();
  const dialog = within(screen.getByRole("dialog", { name: t("rating.title") }));
  await userEvent.type(dialog.getByRole("textbox"), "Wrong");
  await userEvent.click(dialog.getByRole("checkbox"));
  await userEvent.click(dialog.getByRole("button", { name: t("rating.send") }));
  expect(sent[1]).toMatchObject({ id: "rated-card", value: "down", reason: "Wrong", text: "Text of rated-card" });
  await answerNext();
  cleanup();
});
