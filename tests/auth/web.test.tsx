// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { client } from "#webapp/app/client.ts";
import { readToken, writeToken } from "#webapp/app/session/token.ts";
import { RENEW_AFTER_MS, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import { unsavedAtSignOutAtom } from "#webapp/offline/sync-status.ts";
import { ada, noNetwork, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const signsIn: Answers = { auth: { login: () => ({ user: ada, token: "new-token" }) } };

const refuseWeak = () => refuse("bad_input", "This password is too common.", { fields: [{ path: "password" }] });

async function fillIn(fields: Record<string, string>) {
  const user = userEvent.setup();
  for (const [label, value] of Object.entries(fields)) await user.type(await screen.findByLabelText(label), value);
  return user;
}

/** The description of a field found by its label, because a password field has no role. */
function descriptionOf(label: string) {
  const id = screen.getByLabelText(label).getAttribute("aria-describedby") ?? "";
  return document.getElementById(id)?.textContent;
}

describe("sign-in", () => {
  test("a signed-in screen redirects signed-out visitors to /login, and back after they sign in", async () => {
    const app = await openApp("/settings", { answers: signsIn });
    await waitFor(() => expect(app.address()).toBe("/login?from=%2Fsettings"));
    const user = await fillIn({ Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByRole("heading", { name: "Settings" });
    expect(app.address()).toBe("/settings");
    expect(readToken()).toBe("new-token");
  });

  test("ignores another site's address as the place to return to", async () => {
    const app = await openApp("/login?from=%2F%2Felsewhere.example", { answers: signsIn });
    const user = await fillIn({ Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(app.address()).toBe("/home"));
  });

  test("shows missing input at its field and focuses the first one", async () => {
    const app = await openApp("/login");
    await userEvent.setup().click(await screen.findByRole("button", { name: "Sign in" }));
    const email = screen.getByRole("textbox", { name: "Email", description: "Enter your email address." });
    expect(descriptionOf("Password")).toBe("Enter your password.");
    expect(document.activeElement).toBe(email);
    expect(app.calls).not.toContain("auth.login");
  });

  test("shows wrong credentials in the form and signs nobody in", async () => {
    await openApp("/login", { answers: { auth: { login: () => refuse("wrong_credentials", "No") } } });
    const user = await fillIn({ Email: "ada@example.org", Password: "not it" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong email or password.");
    expect(readToken()).toBeUndefined();
  });

  test("without a network, the form shows the message of section 8", async () => {
    await openApp("/login", { answers: { auth: { login: noNetwork } } });
    const user = await fillIn({ Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Couldn't connect to the server. Please check your internet connection and try again.",
    );
  });

  test("the password can be shown and hidden", async () => {
    await openApp("/login");
    const password = await screen.findByLabelText("Password");
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(password.getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(password.getAttribute("type")).toBe("password");
  });
});

describe("registration", () => {
  test.each([
    ["/login", "Password", "current-password"],
    ["/register", "Password", "new-password"],
  ])("at %s a password can be pasted and filled in by a password manager", async (path, label, purpose) => {
    await openApp(path);
    const password = await screen.findByLabelText(label);
    const user = userEvent.setup();
    await user.click(password);
    await user.paste("a lamp upon the desk, from a password manager");
    expect(password).toHaveProperty("value", "a lamp upon the desk, from a password manager");
    expect(password.getAttribute("autocomplete")).toBe(purpose);
  });

  test("a password that the server finds too weak is refused under its field, not above the form", async () => {
    await openApp("/register", { answers: { auth: { register: refuseWeak } } });
    const user = await fillIn({ Name: "Ada", Email: "ada@example.org", Password: "password123" });
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() => expect(descriptionOf("Password")).toBe("This password is too common."));
    expect(document.querySelector(".centered-refusal")).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText("Password"));
  });

  test("the prices, the terms and the privacy page open in a new tab beside the form", async () => {
    await openApp("/register");
    const links = ["What it includes", "Terms", "Privacy"].map((name) => screen.getByRole("link", { name }));
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/pricing#free", "/docs/terms", "/docs/privacy"]);
    for (const link of links) expect(link.getAttribute("target")).toBe("_blank");
  });

  test("/register redirects to /home if already signed in", async () => {
    const app = await openApp("/register", { signedIn: true });
    await waitFor(() => expect(app.address()).toBe("/home"));
  });

  test("registration sends the browser's referral code and time zone", async () => {
    localStorage.setItem("referral_code", "FRIEND");
    let sent: unknown;
    const register = (input: unknown) => {
      sent = input;
      return { user: ada, token: "new-token" };
    };
    const app = await openApp("/register", { answers: { auth: { register } } });
    const user = await fillIn({ Name: "Ada", Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() => expect(app.address()).toBe("/home"));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(sent).toMatchObject({ referralCode: "FRIEND", timezone: timeZone, name: "Ada" });
  });

  test("a short password is rejected before sending, and a taken address is shown at its field", async () => {
    const app = await openApp("/register", {
      answers: { auth: { register: () => refuse("already_exists", "Taken") } },
    });
    const user = await fillIn({ Name: "Ada", Email: "ada@example.org", Password: "short" });
    const send = screen.getByRole("button", { name: "Create account" });
    await user.click(send);
    expect(descriptionOf("Password")).toBe("Use at least 8 characters.");
    expect(app.calls).not.toContain("auth.register");
    await user.type(screen.getByLabelText("Password"), " but longer");
    await user.click(send);
    await screen.findByRole("textbox", {
      name: "Email",
      description: "This email already has an account. Sign in instead.",
    });
  });
});

describe("user fetch failure", () => {
  test.each([
    ["forbidden", "You don't have permission to access this resource."],
    ["broken", "We're experiencing technical difficulties. Please try again later."],
    ["not_found", "Failed to load your profile. Please refresh the page."],
  ] as const)("%s shows: %s", async (code, message) => {
    await openApp("/home", { signedIn: true, answers: { auth: { getUser: () => refuse(code, "No") } } });
    await screen.findByRole("heading", { name: message });
    expect(readToken()).toBe("session-token");
  });

  test("401 clears token and user, says that the session has expired and redirects to /login", async () => {
    const app = await openApp("/home", {
      signedIn: true,
      answers: { auth: { getUser: () => refuse("signed_out", "No") } },
    });
    await screen.findByText("Your session has expired. Please log in again.");
    await waitFor(() => expect(app.address()).toBe("/login"));
    expect(readToken()).toBeUndefined();
  });

  test("after a session ended with unsent changes, their number is shown until the next sign-in", async () => {
    let isRevoked = false;
    const sendBatches = () => (isRevoked ? refuse("signed_out", "No") : noNetwork());
    await openApp("/home", { signedIn: true, answers: { auth: signsIn.auth ?? {}, sync: { sendBatches } } });
    await waitFor(() => expect(store.get(userAtom)).not.toBeNull());
    for (const id of ["page-1", "page-2"]) await queue().enqueue("page_create", id, { createdAt: 1 });
    isRevoked = true;
    await queue().flush();
    await screen.findByText(/^2 unsaved changes are stored on this device/);
    const user = await fillIn({ Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(screen.queryByText(/unsaved changes are stored/)).toBeNull());
    expect(store.get(unsavedAtSignOutAtom)).toBe(0);
    await queue().discard(
      queue()
        .unsaved()
        .map(({ id }) => id),
    );
  });

  test("an expired temporary token clears everything and redirects to /login after 1 s", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const app = await openApp("/home", {
      signedIn: true,
      answers: { study: { getDue: () => refuse("temp_token_expired", "Expired") } },
    });
    await waitFor(() => expect(readToken()).toBeUndefined());
    expect(app.address()).toBe("/home");
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await waitFor(() => expect(app.address()).toBe("/login"));
    vi.useRealTimers();
  });

  test("without a network, the last account on this device continues to work", async () => {
    localStorage.setItem("lamplight_session", JSON.stringify({ user: ada, renewedAt: Date.now() }));
    await openApp("/home", { signedIn: true, answers: { auth: { getUser: noNetwork } } });
    await screen.findByRole("heading", { name: "Hello, Ada" });
  });
});

/** Refuses a token that another tab is refreshing; the other tab stores its new token shortly afterwards. */
function refuseAsReplaced() {
  setTimeout(() => writeToken("renewed-elsewhere"), 100);
  return refuse("token_replaced", "Replaced");
}

describe("session", () => {
  test("at 23 hours of age the token is refreshed and the user fetched again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = await openApp("/home", {
      signedIn: true,
      answers: { auth: { refresh: () => ({ token: "renewed-token" }) } },
    });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    expect(app.calls).not.toContain("auth.refresh");
    vi.setSystemTime(Date.now() + RENEW_AFTER_MS);
    // The machine wakes up from sleep.
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await waitFor(() => expect(readToken()).toBe("renewed-token"));
    expect(app.calls.filter((call) => call === "auth.getUser").length).toBeGreaterThan(1);
    vi.useRealTimers();
  });

  test("a token that another tab refreshed is adopted and not refreshed again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = await openApp("/home", { signedIn: true });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    vi.setSystemTime(Date.now() + RENEW_AFTER_MS);
    writeToken("renewed-elsewhere");
    localStorage.setItem("lamplight_session", JSON.stringify({ user: ada, renewedAt: Date.now() }));
    const before = app.calls.filter((call) => call === "auth.getUser").length;
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await waitFor(() => expect(app.calls.filter((call) => call === "auth.getUser").length).toBeGreaterThan(before));
    expect(app.calls).not.toContain("auth.refresh");
    expect(readToken()).toBe("renewed-elsewhere");
    vi.useRealTimers();
  });

  test("two tabs that refresh at once both use the token that one of them gets", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = await openApp("/home", { signedIn: true, answers: { auth: { refresh: refuseAsReplaced } } });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    vi.setSystemTime(Date.now() + RENEW_AFTER_MS);
    const before = app.calls.filter((call) => call === "auth.getUser").length;
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await waitFor(() => expect(app.calls.filter((call) => call === "auth.getUser").length).toBeGreaterThan(before));
    expect(readToken()).toBe("renewed-elsewhere");
    expect(app.address()).toBe("/home");
    vi.useRealTimers();
  });

  test("a change refused because the token was just refreshed is sent again with the new one", async () => {
    let sent = 0;
    const saveSettings = () => {
      sent += 1;
      if (sent > 1) return { user: { ...ada, name: "Grace" } };
      setTimeout(() => writeToken("renewed-token"), 100);
      return refuse("token_replaced", "Replaced");
    };
    await openApp("/home", { signedIn: true, answers: { user: { saveSettings } } });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    expect((await client.user.saveSettings({ name: "Grace" })).user.name).toBe("Grace");
    expect([sent, readToken()]).toEqual([2, "renewed-token"]);
  });

  test("setting the clock back by a day signs nobody out: tokens are refreshed before use", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = await openApp("/home", {
      signedIn: true,
      answers: { auth: { refresh: () => ({ token: "renewed-token" }) } },
    });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    const before = app.calls.filter((call) => call === "auth.getUser").length;
    vi.setSystemTime(Date.now() - 24 * 3_600_000);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    await waitFor(() => expect(readToken()).toBe("renewed-token"));
    await waitFor(() => expect(app.calls.filter((call) => call === "auth.getUser")).toHaveLength(before + 1));
    // Only once, not at every check of the clock.
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(app.calls.filter((call) => call === "auth.refresh")).toHaveLength(1);
    vi.useRealTimers();
  });

  test("in a browser without cookies the session lasts as long as the tab, and the screen shows it", async () => {
    const denied = vi.spyOn(document, "cookie", "set").mockImplementation(() => undefined);
    const app = await openApp("/settings", { answers: signsIn });
    const user = await fillIn({ Email: "ada@example.org", Password: "a lamp upon the desk" });
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByText("This browser blocks cookies. You stay signed in until you close this tab.");
    await screen.findByRole("heading", { name: "Settings" });
    expect([app.address(), document.cookie]).toEqual(["/settings", ""]);
    denied.mockRestore();
  });

  test("signing out revokes the token and leaves no account data in the browser", async () => {
    const app = await openApp("/home", { signedIn: true });
    await screen.findByRole("heading", { name: "Hello, Ada" });
    sessionStorage.setItem(`lamplight_undo_${ada._id}_page-1`, "what was taken back");
    localStorage.setItem(`lamplight_last_edits_${ada._id}_page-1`, "what was typed last");
    await act(() => app.router.navigate({ to: "/logout" }));
    await screen.findByRole("heading", { name: "You're signed out" });
    expect(app.calls).toContain("auth.logout");
    expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)].join(" ")).not.toContain(ada._id);
    expect(readToken()).toBeUndefined();
    expect(Object.keys(localStorage)).not.toContain("lamplight_session");
    expect(Object.keys(localStorage)).not.toContain("lamplight_preferences");
  });

  test("the token is stored in a cookie for two years", () => {
    const written = vi.spyOn(document, "cookie", "set");
    writeToken("t");
    expect(written).toHaveBeenCalledWith(expect.stringContaining(`Max-Age=${2 * 365 * 24 * 3600}`));
    expect(written).toHaveBeenCalledWith(expect.stringContaining("SameSite=Lax"));
    written.mockRestore();
  });
});
