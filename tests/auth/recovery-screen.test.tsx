// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test } from "vitest";
import { setAssignLocation } from "#webapp/app/navigation.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { ada, openApp, refuse, type Answers } from "#tests/kit/browser/web.tsx";

const success = { success: true } as const;
const entry = { registration: "open", google: true, apple: true, mail: true } as const;

afterEach(() => {
  history.replaceState(null, "", "/");
  sessionStorage.clear();
});

/** Sets the browser's address, whose fragment no server receives. */
const setAddress = (address: string) => history.replaceState(null, "", address);

describe("forgotten password", () => {
  test("the screen shows the same message for every address, and what to do if no mail arrives", async () => {
    const asked: unknown[] = [];
    const forgotPassword = (sent: unknown) => {
      asked.push(sent);
      return { accepted: true } as const;
    };
    await openApp("/forgot_password", { answers: { auth: { forgotPassword } } });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Send link" }));
    screen.getByRole("textbox", { name: "Email", description: "Enter your email address." });
    await user.type(screen.getByLabelText("Email"), "ada@example.org");
    await user.click(screen.getByRole("button", { name: "Send link" }));
    await screen.findByRole("heading", { name: "Check your email" });
    expect(asked).toEqual([{ email: "ada@example.org" }]);
  });

  test("where the server sends no mail, the screen says how its operator can help", async () => {
    await openApp("/forgot_password", { answers: { auth: { getEntry: () => ({ ...entry, mail: false }) } } });
    await screen.findByText(/Ask your administrator for a reset link/);
    expect(screen.queryByRole("button", { name: "Send link" })).toBeNull();
  });

  test("the link's token is removed from the address at once and sets a password once", async () => {
    setAddress("/reset_password#token=from-the-mail");
    let sent: unknown;
    const resetPassword = (input: unknown) => {
      sent = input;
      return success;
    };
    await openApp("/reset_password", { answers: { auth: { resetPassword } } });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New password"), "short");
    expect(location.hash).toBe("");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    await screen.findByText("Use at least 8 characters.");
    await user.type(screen.getByLabelText("New password"), " but longer");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    await screen.findByRole("heading", { name: "Password saved" });
    expect(sent).toEqual({ token: "from-the-mail", password: "short but longer" });
  });

  test("a used link shows a message and offers another one", async () => {
    setAddress("/reset_password#token=used");
    await openApp("/reset_password", { answers: { auth: { resetPassword: () => refuse("link_expired", "No") } } });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New password"), "long enough");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    await screen.findByText("This link has expired or was already used. Request a new one.");
    screen.getByRole("link", { name: "Request a new link" });
  });

  test("a link without a token is shown as incomplete", async () => {
    await openApp("/reset_password");
    await screen.findByText("This link is incomplete. Open it from the email again.");
  });
});

test("the confirmation link confirms an address once, even if the screen renders twice", async () => {
  setAddress("/verify_email#token=from-the-mail");
  const app = await openApp("/verify_email", {
    answers: { auth: { verifyEmail: () => ({ email: "ada@example.org" }) } },
  });
  await screen.findByText("ada@example.org is now verified.");
  expect(app.calls.filter((call) => call === "auth.verifyEmail")).toHaveLength(1);
});

describe("sign-in with another provider", () => {
  const begins: Answers = {
    auth: { getEntry: () => entry, startGoogle: () => ({ authUrl: "https://issuer.example/?state=google.abc" }) },
  };

  test("sign-in with Google starts with a state of this window and returns to where it began", async () => {
    let left = "";
    setAssignLocation((href) => (left = href));
    await openApp("/login?from=%2Fsettings", { answers: begins });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    await waitFor(() => expect(left).toBe("https://issuer.example/?state=google.abc"));
    const app = await openApp("/oauth/google/callback?code=c&state=google.abc", {
      answers: { auth: { finishGoogle: () => ({ user: ada, token: "new-token" }) } },
    });
    await waitFor(() => expect(app.address()).toBe("/settings"));
    expect(readToken()).toBe("new-token");
  });

  test("ignores a response that this window didn't request", async () => {
    const app = await openApp("/oauth/google/callback?code=c&state=google.of-an-attacker");
    await screen.findByText(/was started in another browser/);
    expect(app.calls).not.toContain("auth.finishGoogle");
    expect(readToken()).toBeUndefined();
  });

  test("shows denied access and server errors on the screen", async () => {
    await openApp("/oauth/google/callback?error=access_denied&state=google.abc");
    await screen.findByText("You didn't allow access. Nothing was changed.");
    sessionStorage.setItem("lamplight_sign_in", JSON.stringify({ state: "google.x", to: "/home" }));
    const words = "An account with this email address exists, but the address was never verified.";
    await openApp("/oauth/google/callback?code=c&state=google.x", {
      answers: { auth: { finishGoogle: () => refuse("already_exists", words) } },
    });
    await screen.findByText(words);
  });

  test("shows an unreachable issuer by its name", async () => {
    await openApp("/login", {
      answers: { auth: { getEntry: () => entry, startGoogle: () => refuse("unreachable", "No") } },
    });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    await screen.findByText("Google could not be reached. Please try again in a moment.");
  });
});

describe("registration by invitation", () => {
  test("an invite-only server says so before a form is filled in", async () => {
    await openApp("/register", { answers: { auth: { getEntry: () => ({ ...entry, registration: "invite" }) } } });
    await screen.findByText(/by invitation only/);
    expect(screen.queryByLabelText("Password")).toBeNull();
  });

  test("the code of an opened invitation is sent with the registration", async () => {
    setAddress("/register?invite=CODE");
    let sent: unknown;
    const register = (input: unknown) => {
      sent = input;
      return { user: ada, token: "new-token" };
    };
    await openApp("/register?invite=CODE", {
      answers: { auth: { getEntry: () => ({ ...entry, registration: "invite" }), register } },
    });
    const user = userEvent.setup();
    await screen.findByText("You've been invited. Create your account here.");
    for (const [label, value] of [
      ["Name", "Ada"],
      ["Email", "ada@example.org"],
      ["Password", "a lamp upon the desk"],
    ] as const)
      await user.type(screen.getByLabelText(label), value);
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() => expect(sent).toMatchObject({ inviteCode: "CODE" }));
  });

  test("signing in restores an account scheduled for deletion, and shows a notice", async () => {
    await openApp("/login", { answers: { auth: { login: () => ({ user: ada, token: "t", restored: true }) } } });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email"), "ada@example.org");
    await user.type(screen.getByLabelText("Password"), "a lamp upon the desk");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByText("Welcome back. Your account will not be deleted.");
  });
});
