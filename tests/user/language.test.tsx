// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { setLanguage, t } from "#shared/messages/translate.ts";
import { Preferences } from "#shared/user/schema.ts";
import { applyLanguage, loadLanguage, setReload } from "#webapp/app/browser/language.ts";
import { finishOAuthSignIn } from "#webapp/auth/oauth.ts";
import { register } from "#webapp/auth/state.ts";
import { TimeField } from "#webapp/ui/time-field.tsx";
import { closeOverlay } from "#webapp/app/overlays.ts";
import { ada, type Answers, noNetwork, openApp } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";

let opened = 0;
setReload(() => (opened += 1));
afterEach(async () => {
  opened = 0;
  localStorage.clear();
  document.documentElement.lang = "en";
  await setLanguage("en", { table: {}, titles: {} });
});

test("choosing a language in the settings saves it to the account and reloads the page", async () => {
  const saved: unknown[] = [];
  await openApp("/settings", {
    signedIn: true,
    answers: {
      user: {
        savePreferences: (sent) => {
          expect(opened).toBe(0);
          saved.push((sent["appearance"] as { language: string }).language);
          return Preferences.parse(sent);
        },
      },
    },
  });
  await userEvent.setup().selectOptions(await screen.findByLabelText("Interface language"), "Deutsch");
  await waitFor(() => expect(opened).toBe(1));
  expect(saved).toEqual(["de"]);
  expect(localStorage.getItem("lamplight_language")).toBe("de");
});

test("without a network the language still changes", async () => {
  await openApp("/settings", { signedIn: true, answers: { user: { savePreferences: noNetwork } } });
  await userEvent.setup().selectOptions(await screen.findByLabelText("Interface language"), "Deutsch");
  await waitFor(() => expect(opened).toBe(1));
  applyLanguage("de");
  expect(opened).toBe(1);
});

test("the German interface uses German text, plurals and number formats", async () => {
  document.documentElement.lang = "de";
  await loadLanguage();
  expect(t("common.cancel")).toBe("Abbrechen");
  expect(t("calendar.cards", { count: 1 })).toBe("1 Karte");
  expect(t("calendar.cards", { count: 12_345 })).toBe("12.345 Karten");
});

test("the time field uses 24 hours in German, and the browser's own field in English", async () => {
  const times: string[] = [];
  const field = () => <TimeField label="Time" value="17:30" onValue={(time) => times.push(time)} />;
  const english = render(field());
  expect(screen.getByLabelText("Time").getAttribute("type")).toBe("time");
  english.unmount();
  document.documentElement.lang = "de";
  const german = render(field());
  const time = screen.getByLabelText<HTMLInputElement>("Time");
  expect([time.type, time.value]).toEqual(["text", "17:30"]);
  const user = userEvent.setup();
  for (const [typed, meant] of [
    ["18:05", "18:05"],
    ["7.15", "07:15"],
    ["2345", "23:45"],
    ["9", "09:00"],
  ] as const) {
    await user.clear(time);
    await user.type(time, typed);
    expect(times.at(-1)).toBe(meant);
  }
  // An invalid time is passed on unchanged, so that the form can show an error.
  await user.clear(time);
  await user.type(time, "9:75");
  expect(times.at(-1)).toBe("9:75");
  german.unmount();
});

test("the German interface names keys as on a German keyboard", async () => {
  document.documentElement.lang = "de";
  await loadLanguage();
  await openApp("/settings", { signedIn: true });
  await screen.findByRole("heading", { name: "Einstellungen" });
  const user = userEvent.setup();
  await user.keyboard("?");
  const sheet = await screen.findByRole("dialog", { name: "Hilfe und Tastenkürzel" });
  expect(within(sheet).getAllByText("Strg")).toHaveLength(5);
  within(sheet).getByText("Umschalt");
  within(sheet).getByText("Leertaste");
  act(closeOverlay);
});

function setCookie(cookie: string): void {
  document.cookie = `${cookie}; path=/`;
  onTestFinished(() => {
    document.cookie = `${cookie}; path=/; max-age=0`;
  });
}

/** A server with the preferences of a new account. */
function aNewAccount() {
  const saved: unknown[] = [];
  let preferences = Preferences.parse({});
  const user: NonNullable<Answers["user"]> = {
    getPreferences: () => preferences,
    savePreferences: (sent) => {
      saved.push(sent["appearance"]);
      preferences = Preferences.parse(sent);
      return preferences;
    },
  };
  return { saved, user };
}

describe("the language that a visitor chose on a public page", () => {
  const boot = readFileSync("webapp/public/boot.js", "utf8");
  /** The language of the document after `boot.js` ran. */
  const bootLanguage = () => {
    runInThisContext(boot);
    return document.documentElement.lang;
  };
  test("is that of the app too, unless they chose another one in the app or are signed in", () => {
    expect(bootLanguage()).toBe("en");
    setCookie("lamplight_language=de");
    expect(bootLanguage()).toBe("de");
    localStorage.setItem("lamplight_language", "system");
    expect(bootLanguage()).toBe("de");
    localStorage.setItem("lamplight_language", "en");
    expect(bootLanguage()).toBe("en");
    localStorage.clear();
    setCookie("lamplight_token=secret");
    expect(bootLanguage()).toBe("en");
  });

  const ben = { ...ada, onboardingComplete: false };
  const form = { name: "Ada", email: "ada@example.org", password: "a lamp upon the desk" };

  test("becomes the language of the account that they register", async () => {
    const { saved, user } = aNewAccount();
    const auth = { register: () => ({ user: ben, token: "new-token" }) };
    await openApp("/register", { answers: { auth, user } });
    document.documentElement.lang = "de";
    expect(await register(form)).toEqual({});
    expect(saved).toEqual([expect.objectContaining({ language: "de" })]);
    expect(opened).toBe(0);
  });

  test("is not replaced by the new account's preferences, if these are loaded first", async () => {
    const { saved, user } = aNewAccount();
    const profile = createDeferred<undefined>();
    const auth: NonNullable<Answers["auth"]> = {
      register: () => ({ user: ben, token: "new-token" }),
      getUser: async () => {
        await profile.promise;
        return { user: ben, organization: null, tempToken: "temp" };
      },
    };
    const app = await openApp("/register", { answers: { auth, user } });
    // An account that used this browser before was in German.
    localStorage.setItem("lamplight_language", "de");
    document.documentElement.lang = "de";
    const registering = register(form);
    await waitFor(() => expect(app.calls).toContain("user.getPreferences"));
    profile.resolve(undefined);
    expect(await registering).toEqual({});
    expect(saved).toEqual([expect.objectContaining({ language: "de" })]);
    expect([opened, localStorage.getItem("lamplight_language")]).toEqual([0, "de"]);
  });

  test.each([
    ["new", false, ["de"]],
    ["older", true, []],
  ])("with another provider, it becomes that of a new account alone: %s", async (_, onboardingComplete, languages) => {
    const { saved, user } = aNewAccount();
    const auth = { finishGoogle: () => ({ user: { ...ada, onboardingComplete }, token: "new-token" }) };
    await openApp("/register", { answers: { auth, user } });
    sessionStorage.setItem("lamplight_sign_in", JSON.stringify({ state: "google.x", to: "/home" }));
    document.documentElement.lang = "de";
    expect(await finishOAuthSignIn({ code: "c", state: "google.x" })).toEqual({ to: "/home" });
    expect(saved).toEqual(languages.map((language) => expect.objectContaining({ language })));
  });
});
