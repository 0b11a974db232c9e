// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readEarlyForm, removeEarlyForm, waitForRelease } from "#webapp/app/early-form.ts";
import { renderForms } from "#webapp/auth/prerender.tsx";
import type { PrerenderedForm } from "#webapp/build/built-site.ts";

let forms: PrerenderedForm[] = [];
const boot = readFileSync("webapp/public/boot.js", "utf8");
let opened = 0;

beforeAll(async () => {
  // The app's script counts as loaded unless a test says otherwise.
  const { happyDOM } = globalThis as unknown as { happyDOM: { settings: object } };
  Object.assign(happyDOM.settings, { handleDisabledFileLoadingAsSuccess: true });
  const { location } = globalThis;
  forms = await renderForms();
  Object.assign(globalThis, { location });
});

beforeEach(() => {
  vi.useFakeTimers();
  // Imitates a browser that reports no paint.
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

/** Opens a prerendered document as a browser does; the returned function finds the app's script once it is added. */
function openForm(path: string, language: string, { waits = true } = {}) {
  opened += 1;
  const app = `/app-${opened}.js`;
  const markup = forms.find((form) => form.path === path && form.language === language)?.markup;
  document.body.innerHTML = `<div id="early">${markup}</div><div id="app"></div>`;
  const script = document.createElement("script");
  Object.assign(script.dataset, { app: `${app} /part-${opened}.js`, form: language, ...(waits && { waits: "" }) });
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  runInThisContext(boot);
  document.dispatchEvent(new Event("DOMContentLoaded"));
  return () => document.querySelector<HTMLScriptElement>(`script[src="${app}"]`);
}

const find = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`${selector} is missing`);
  return found;
};
const fire = (selector: string, name: string) =>
  find(selector).dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
const looksAccepted = () =>
  ["aria-busy", "aria-disabled"].map((name) => find("#early [type=submit]").getAttribute(name));
const isHidden = () => document.documentElement.classList.contains("early-hidden");

describe("a prerendered form", () => {
  test("never puts a password in the address, and says that it needs JavaScript", () => {
    expect(forms.map(({ path, language }) => `${language} ${path}`).toSorted()).toEqual([
      "de /login",
      "de /register",
      "en /login",
      "en /register",
    ]);
    for (const { markup } of forms) {
      expect(/<form[^>]*>/.exec(markup)?.[0]).toContain('method="post"');
      expect(markup).toMatch(/<noscript>.*JavaScript.*<\/noscript>/);
    }
  });

  test("in another language than the app's starts the app at once instead of leaving a blank page", () => {
    const findApp = openForm("/login", "de");
    expect(isHidden()).toBe(true);
    expect(findApp()).not.toBeNull();
  });

  test("in the app's language starts the app when it is used", () => {
    const findApp = openForm("/login", "en");
    expect(isHidden()).toBe(false);
    expect(findApp()).toBeNull();
    fire("#early [name=email]", "input");
    expect(findApp()).not.toBeNull();
  });

  test("fetches each of the app's files in a task of its own, and runs them when it is used", () => {
    const append = document.head.append.bind(document.head);
    // Of two files that are fetched in one task, the second finds as many timers waiting as the first.
    const timersLeft: number[] = [];
    const spy = vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
      const isOwn = nodes.some((node) => node instanceof HTMLLinkElement && node.href.endsWith(`-${opened}.js`));
      if (isOwn) timersLeft.push(vi.getTimerCount());
      append(...nodes);
    });
    onTestFinished(() => spy.mockRestore());
    const findApp = openForm("/login", "en");
    vi.runAllTimers();
    expect(timersLeft.length).toBe(2);
    expect(new Set(timersLeft).size).toBe(2);
    expect(findApp()).toBeNull();
    fire("#early [name=email]", "input");
    expect(findApp()).not.toBeNull();
  });

  test("that does not wait for use starts the app in a browser that reports no paint", () => {
    const findApp = openForm("/login", "en", { waits: false });
    expect(findApp()).toBeNull();
    vi.runAllTimers();
    expect(findApp()).not.toBeNull();
  });

  test("shows that it was sent, and is not sent by the app if the visitor types on", () => {
    openForm("/register", "en");
    fire("#early form", "submit");
    expect(readEarlyForm()?.isSubmitted).toBe(true);
    expect(looksAccepted()).toEqual(["true", "true"]);
    fire("#early [name=password]", "input");
    expect(readEarlyForm()?.isSubmitted).toBe(false);
    expect(looksAccepted()).toEqual([null, null]);
  });

  test.each(["en", "de"])("says what to do if the app cannot be loaded (%s)", (language) => {
    const findApp = openForm("/login", language);
    fire("#early form", "submit");
    expect(find("#early-failed").hidden).toBe(true);
    findApp()?.dispatchEvent(new Event("error"));
    expect(find("#early-failed").hidden).toBe(false);
    expect(isHidden()).toBe(false);
    // The button does not look pressed, because nothing will handle the press.
    fire("#early form", "submit");
    expect(looksAccepted()).toEqual([null, null]);
  });
});

describe("when the app's form replaces the prerendered one", () => {
  test.each(["[name=email]", "[type=submit]", ".centered-aside a", ".wordmark"])("the focus stays on %s", (control) => {
    openForm("/login", "en");
    const app = find("#app");
    app.innerHTML = find("#early").innerHTML;
    find(`#early ${control}`).focus();
    removeEarlyForm(app);
    expect(document.getElementById("early")).toBeNull();
    expect(document.activeElement).toBe(find(`#app ${control}`));
  });

  test("the replacement waits until the pointer is up and the click has been handled", async () => {
    openForm("/login", "en");
    find("#early a").dispatchEvent(new PointerEvent("pointerdown", { isPrimary: true, button: 0, bubbles: true }));
    const replace = vi.fn<() => void>();
    const replaced = waitForRelease().then(replace);
    await vi.runAllTimersAsync();
    expect(replace).not.toHaveBeenCalled();
    fire("#early a", "pointerup");
    await vi.runAllTimersAsync();
    await replaced;
    expect(replace).toHaveBeenCalledOnce();
    // No pointer is down any more.
    await waitForRelease();
  });
});
