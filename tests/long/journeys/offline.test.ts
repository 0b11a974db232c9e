import type { HTTPRequest, Page } from "puppeteer";
import { expect, test } from "vitest";
import { moveClockAhead, setClockAhead } from "#tests/kit/browser/browser-clock.ts";
import { clientAt, PASSWORD } from "#tests/kit/account.ts";
import { aCard, aDeck, aPage, aText } from "#tests/store/changes.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { allowServiceWorkers, takePicture, type Student } from "#tests/kit/student.ts";

allowServiceWorkers();

const { browser, server } = await startBrowserAndServer();

/** Runs in the browser: whether the service worker has cached every file and controls this page. */
const isCached = async () => {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.controller !== null;
};

const DAY_MS = 86_400_000;

/** Opens another tab of the same browser. */
async function openAnotherTab({ page }: Student): Promise<Page> {
  const tab = await page.browserContext().newPage();
  tab.setDefaultTimeout(30_000);
  await tab.setViewport({ width: 1360, height: 860 });
  await tab.evaluateOnNewDocument(moveClockAhead);
  return tab;
}

const waitUntilShown = (tab: Page, words: string) =>
  tab.waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: 100 }, words);

/** Types at the end of the line with these words. */
async function writeAfter(tab: Page, words: string, text: string): Promise<void> {
  await tab.bringToFront();
  await tab.locator(`::-p-text(${words})`).click();
  await tab.keyboard.press("End");
  await tab.keyboard.type(text);
}

/** Runs in the browser: whether the page says that its changes are stored on this device or saved. */
const isStoredHere = () =>
  /stored on this device|^Saved$/m.test(document.querySelector(".top-bar-state")?.textContent ?? "");

test("a day offline in two tabs: the app reloads, edits and answers are kept, and everything is sent", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const [genes, cells] = [await aPage(user, "Genes and proteins"), await aPage(user, "Cells")];
  await aText(user, genes, "A codon names an amino acid.");
  await aText(user, cells, "A cell has a membrane.");
  const deckId = await aDeck(user, genes, [aCard("codon", "What does a codon name?")]);
  const { page: first } = student;
  await first.evaluateOnNewDocument(moveClockAhead);
  await student.open("/home");
  await student.waitForText("Hello, Ada");
  await first.waitForFunction(isCached, { polling: 200 });
  await student.open(`/page/${genes}/study/${deckId}`);
  await student.waitForText("What does a codon name?");
  await student.open(`/page/${genes}`);
  await student.waitForText("A codon names an amino acid.");
  const second = await openAnotherTab(student);
  await second.goto(`${server.origin}/page/${cells}`);
  await waitUntilShown(second, "A cell has a membrane.");
  await server.kill();

  // Offline, each tab edits its own page.
  await first.bringToFront();
  await first.reload();
  await student.waitForText("A codon names an amino acid.");
  await writeAfter(first, "A codon names an amino acid.", " Three letters each.");
  await writeAfter(second, "A cell has a membrane.", " Fats make it.");
  await first.waitForFunction(isStoredHere, { polling: 100 });
  await second.waitForFunction(isStoredHere, { polling: 100 });

  // A day later, still offline, each tab opens what the other wrote, and a card is studied.
  await first.evaluate(setClockAhead, DAY_MS);
  await second.goto(`${server.origin}/page/${genes}`);
  await waitUntilShown(second, "Three letters each.");
  await first.goto(`${server.origin}/page/${cells}`);
  await student.waitForText("Fats make it.");
  await first.bringToFront();
  await takePicture(first, "offline-page");
  await student.open("/home");
  await student.waitForText("Hello, Ada");
  // Cards to study and pages to continue are listed without a network too.
  await student.waitForText("1 new");
  await student.waitForText("Genes and proteins");
  expect(await first.evaluate(async () => (await fetch("/boot.js")).status)).toBe(200);
  await takePicture(first, "offline-home");
  await student.press("link", "Study Genes");
  await student.waitForText("What does a codon name?");
  await first.keyboard.press("Space");
  await student.waitForText("the answer to codon");
  await first.keyboard.press("3");
  // A grade that is not stored yet would be lost by leaving the screen.
  await first.waitForFunction(() => !document.body.innerText.includes("the answer to codon"));
  await student.open("/home");
  await student.waitForText("Hello, Ada");

  // Online again: the laptop's clock is a day ahead of the server's, so its tokens seem to be a day old.
  await server.start();
  await first.reload();
  await student.waitForText("Hello, Ada");
  const serverText = async (id: string) => JSON.stringify(await user.client.pages.getPage({ id }));
  await expect.poll(() => serverText(genes)).toContain("Three letters each.");
  await expect.poll(() => serverText(cells)).toContain("Fats make it.");
  const learnt = async () => (await user.client.study.getDeckSchedule({ componentId: deckId })).schedules;
  await expect.poll(learnt).toHaveLength(1);
  expect(await serverText(genes)).toContain("A codon names an amino acid. Three letters each.");
  await student.close();
});

/** Delays the first call that contains these words, as a slow network would. */
async function holdCallWith(page: Page, words: string) {
  const delayed: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (delayed.length === 0 && request.postData()?.includes(words) === true) delayed.push(request);
    else void request.continue();
  });
  return { isDelayed: () => delayed.length > 0, release: () => delayed[0]?.continue() };
}

/** Signs in with the form. */
async function signIn(student: Student, email: string): Promise<void> {
  await student.waitForText("Welcome back");
  await student.type("Email", email);
  await student.type("Password", PASSWORD);
  await student.press("button", "Sign in");
}

test("after a token is revoked during writing, the text stays hidden from others and is sent after signing in again", async () => {
  const { student, user } = await registerStudent(browser, server.origin, { name: "Ada" });
  const pageId = await aPage(user, "Enzymes");
  await aText(user, pageId, "An enzyme speeds a reaction up.");
  const { page } = student;
  await student.open(`/page/${pageId}`);
  await student.waitForText("An enzyme speeds a reaction up.");
  const { token } = await clientAt(server.origin).auth.login({ email: user.email, password: PASSWORD });
  const phone = clientAt(server.origin, token);
  const call = await holdCallWith(page, "not used up");
  await writeAfter(page, "An enzyme speeds a reaction up.", " It is not used up.");
  await expect.poll(call.isDelayed).toBe(true);
  await page.keyboard.type(" It is free.");
  await phone.auth.removeOtherSessions({});
  await call.release();
  await student.waitForText("Your session has expired. Please log in again.");
  // The message is the same for one change and two; which one it is depends on whether the first had left the queue.
  await student.waitForText("Sign in with the same account to save");
  await takePicture(page, "session-expired");
  expect(new URL(page.url()).pathname).toBe("/login");
  const serverText = async () => JSON.stringify(await phone.pages.getPage({ id: pageId }));

  // Somebody else uses this browser in between.
  const { student: other, user: bob } = await registerStudent(browser, server.origin, { name: "Bob" });
  await other.close();
  await signIn(student, bob.email);
  await student.waitForText("Hello, Bob");
  expect(await student.readScreen()).not.toContain("Enzymes");
  await page.goto(`${server.origin}/page/${pageId}`);
  await student.waitForText("It may have been deleted");
  expect(await student.readScreen()).not.toContain("not used up");
  await student.open("/settings");
  await student.press("button", "Advanced");
  await student.waitForText("0 pages");
  await student.open("/logout");
  await student.waitForText("You're signed out");
  expect(await serverText()).not.toContain("not used up");

  // Ada signs in again, and her text is sent.
  await student.open("/login");
  await signIn(student, user.email);
  await student.waitForText("Hello, Ada");
  await expect.poll(serverText).toContain("It is not used up. It is free.");
  await student.open(`/page/${pageId}`);
  await student.waitForText("An enzyme speeds a reaction up. It is not used up. It is free.");
  await student.close();
});

/** Runs in the browser before its scripts: blocks all storage of the site. */
const blockStorage = () => {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it is serialised into the browser.
  const deny = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { get: deny });
  IDBFactory.prototype.open = deny;
  Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} });
};

test("in a browser without storage, sign-in says how long it lasts, the page shows unsaved changes, and they are sent", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Osmosis");
  await aText(user, pageId, "Water passes the membrane.");
  const { page } = student;
  await page.deleteCookie(...(await page.cookies(server.origin)));
  await page.evaluateOnNewDocument(blockStorage);
  await student.open(`/page/${pageId}`);
  await signIn(student, user.email);
  await student.waitForText("This browser blocks cookies. You stay signed in until you close this tab.");
  await takePicture(page, "no-cookies");
  await student.waitForText("Water passes the membrane.");
  await writeAfter(page, "Water passes the membrane.", " Salt does not.");
  const serverText = async () => JSON.stringify(await user.client.pages.getPage({ id: pageId }));
  await expect.poll(serverText).toContain("Salt does not.");
  await server.kill();
  await writeAfter(page, "Water passes the membrane. Salt does not.", " Sugar neither.");
  await student.waitForText("This browser blocks storage, so keep this page open");
  await takePicture(page, "no-storage");
  await server.start();
  await expect.poll(serverText).toContain("Sugar neither.");
  await student.close();
});

/** Runs in the browser before its scripts: makes IndexedDB accept every request and answer none. */
const silenceStorage = () => {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the factory as `this`.
  const real = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function open(name, version) {
    const request = real.call(this, name, version);
    for (const type of ["success", "error", "upgradeneeded", "blocked"])
      request.addEventListener(type, (event) => event.stopImmediatePropagation());
    return request;
  };
};

test("in a browser whose storage never answers, the app says so, sends changes, and warns before the tab closes", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const pageId = await aPage(user, "Diffusion");
  await aText(user, pageId, "Particles spread out.");
  const { page } = student;
  await page.evaluateOnNewDocument(silenceStorage);
  await student.open(`/page/${pageId}`);
  await student.waitForText("Particles spread out.");
  await student.waitForText("This browser's storage is not responding. Your changes go straight to the server.");
  await writeAfter(page, "Particles spread out.", " Heat helps.");
  const serverText = async () => JSON.stringify(await user.client.pages.getPage({ id: pageId }));
  await expect.poll(serverText).toContain("Heat helps.");
  await page.waitForFunction(isStoredHere, { polling: 100 });
  await server.kill();
  await writeAfter(page, "Particles spread out. Heat helps.", " Size too.");
  await student.waitForText("Not saved yet. This browser's storage is not responding, so keep this page open");
  await takePicture(page, "silent-storage");
  const asked = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    });
  });
  await page.close({ runBeforeUnload: true });
  expect(await asked).toBe("beforeunload");
  await server.start();
  await expect.poll(serverText).toContain("Size too.");
  await student.close();
});
