/* oxlint-disable no-console -- the specification asks for the warning. */
// Runs before anything is painted, so that neither the wrong theme nor the wrong page flashes up.
(function () {
  var theme = readStored("lamplight_theme");
  var dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  showTheme(dark);
  var isSignedIn = /(?:^|; )lamplight_token=[^;]/.test(document.cookie);
  var build = document.currentScript ? document.currentScript.dataset : {};
  document.documentElement.classList.toggle("signed-in", isSignedIn);
  // A public page comes in its language; the choice made in the app holds there too until another is made on a page.
  if (build.site) startPublicPage(build.site);
  else {
    var language = findLanguage(isSignedIn);
    document.documentElement.lang = language;
    document.documentElement.dir = language === "en-x-mirrored" ? "rtl" : "ltr";
    if (build.form) startForm(build.form === language);
  }
  storeReferralCode();
  if (isSignedIn) startEarly(build);
  // Where the address names a place in the document, only the app finds it.
  startApp(build, isSignedIn && !/[?&](?:page|quote)=/.test(location.search));
  // Who is signed in does not see the landing page.
  if (location.pathname === "/" && isSignedIn) location.replace("/home");
})();

function showTheme(isDark) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.classList.toggle("dark", isDark);
}

/** Stores the code of an invitation link until its visitor creates an account. */
function storeReferralCode() {
  var code = new URLSearchParams(location.search).get("ref");
  if (!code) return;
  try {
    localStorage.setItem("referral_code", code.slice(0, 120));
  } catch (error) {
    console.warn("The referral code could not be kept", error);
  }
}

/** A value from local storage; null if there is none or storage is forbidden. */
function readStored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * "de" where the student chose it in the app, a visitor chose it on a public page, or the device prefers it to English; the
 * words come with the app.
 */
function findLanguage(isSignedIn) {
  var chosen = readStored("lamplight_language");
  var onPage =
    !isSignedIn &&
    (/[?&]lang=(en|de)(?:&|$)/.exec(location.search) ||
      /(?:^|; )lamplight_language=(en|de)(?:;|$)/.exec(document.cookie));
  var wanted = chosen && chosen !== "system" ? [chosen] : onPage ? [onPage[1]] : navigator.languages || [];
  var tags = wanted.map((tag) => (tag === "en-x-mirrored" ? tag : tag.slice(0, 2)));
  return tags.find((tag) => tag === "en" || tag === "de" || tag === "en-x-mirrored") || "en";
}

function startPublicPage(language) {
  // The app follows the device by itself.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function (query) {
    if (readStored("lamplight_theme") === "light" || readStored("lamplight_theme") === "dark") return;
    showTheme(query.matches);
  });
  var chosen = readStored("lamplight_language");
  var isOther = (chosen === "en" || chosen === "de") && chosen !== language;
  var isChosenHere = /(?:^|; )lamplight_language=/.test(document.cookie);
  if (isOther && !isChosenHere) location.replace(location.pathname + "?lang=" + chosen + location.hash);
}

/**
 * The form is on the screen before the app is. What is typed is taken over by the app (`webapp/app/early-form.ts`), and so
 * is a submission, unless the visitor types on after it. In another language than the app's it waits for the app.
 */
function startForm(isInLanguage) {
  document.documentElement.classList.toggle("early-hidden", !isInLanguage);
  document.addEventListener("submit", function (event) {
    if (!event.target.closest("#early")) return;
    event.preventDefault();
    if (document.querySelector("#early-failed[hidden]")) setSubmitted(event.target, true);
  });
  document.addEventListener("input", function (event) {
    if (event.target.closest("#early")) setSubmitted(event.target.form, false);
  });
  document.addEventListener("DOMContentLoaded", function () {
    // Where the student came from, also if they go to the other form.
    document.querySelectorAll("#early .centered-aside a").forEach(function (link) {
      link.search = location.search;
    });
  });
  watchPress();
}

function setSubmitted(form, isSubmitted) {
  var button = form.querySelector("[type=submit]");
  if (isSubmitted) form.dataset.submitted = "";
  else delete form.dataset.submitted;
  ["aria-busy", "aria-disabled"].forEach(function (name) {
    if (isSubmitted) button.setAttribute(name, "true");
    else button.removeAttribute(name);
  });
}

/** A click needs its element from press to release, so the app replaces the form when no pointer is down. */
function watchPress() {
  addEventListener("pointerdown", function (event) {
    if (event.isPrimary && event.button === 0) document.documentElement.dataset.pressed = "";
  });
  // An open menu or another window gets the release instead of the page.
  ["pointerup", "pointercancel", "contextmenu", "blur"].forEach(function (name) {
    addEventListener(name, function () {
      // After the click.
      setTimeout(function () {
        delete document.documentElement.dataset.pressed;
        dispatchEvent(new Event("lamplight-released"));
      });
    });
  });
}

/** Without the app the form does nothing, so it says why, even in another language than the app's. */
function showFailedForm() {
  var message = document.getElementById("early-failed");
  if (!message) return;
  document.documentElement.classList.remove("early-hidden");
  message.hidden = false;
  setSubmitted(message.closest("form"), false);
}

/** A page is many small files: asked for together, and not as each of them is found to be needed. */
function preload(files) {
  files.forEach(function (address) {
    var part = document.createElement("link");
    part.crossOrigin = "";
    part.rel = address.endsWith(".js") ? "modulepreload" : "preload";
    if (part.rel === "preload") part.as = "font";
    part.href = address;
    document.head.append(part);
  });
}

/** Loads what the address names together with the app; the build lists the files. */
function startEarly(build) {
  if (build.page && location.pathname.indexOf("/page/") === 0) preload(build.page.split(" "));
  if (build.early === undefined || location.pathname.indexOf(build.early) !== 0) return;
  window.lamplightReader = new Worker(build.worker, { type: "module" });
  // The first is run, the others are what it and the screen import.
  var files = build.modules.split(" ");
  runModule(files[0]);
  preload(files.slice(1));
}

function runModule(address) {
  var script = document.createElement("script");
  script.crossOrigin = "";
  script.type = "module";
  script.src = address;
  script.addEventListener("error", showFailedForm);
  document.head.append(script);
}

/**
 * Where the document does not name the app itself, it is started here: at once, or once the first page is on the screen,
 * since both want the same line and the same processors. A page that is slow to come is not waited for long.
 */
function startApp(build, waits) {
  if (build.app === undefined) return;
  var files = build.app.split(" ");
  var isStarted = false;
  function start() {
    if (isStarted) return;
    isStarted = true;
    runModule(files[0]);
    preload(files.slice(1));
  }
  document.addEventListener("DOMContentLoaded", function () {
    // A hidden form is neither painted nor used.
    if (build.form && build.form !== document.documentElement.lang) start();
    else if (build.waits !== undefined) startOnUse(files, start);
    else if (build.form || build.site) afterPaint(start);
    else if (!waits || window.isLamplightShown) start();
    else {
      addEventListener("lamplight-shown", start);
      setTimeout(start, 1500);
    }
  });
}

/** Fetches the app's files after the first paint, and runs them when somebody uses the form. */
function startOnUse(files, start) {
  ["pointermove", "pointerdown", "keydown", "focusin", "input", "submit"].forEach(function (name) {
    addEventListener(name, start, { once: true });
  });
  afterPaint(function () {
    files.forEach(function (address) {
      // Each in a task of its own: starting fifty requests at once blocks a phone.
      setTimeout(function () {
        preload([address]);
      });
    });
  });
}

/** A hidden tab is not painted, so it does not wait. Some browsers do not report the paint, so none waits for long. */
function afterPaint(run) {
  if (document.hidden) {
    run();
    return;
  }
  var observer = new PerformanceObserver(function (entries) {
    if (entries.getEntriesByName("first-contentful-paint").length > 0) finish();
  });
  var timer = setTimeout(finish, 1500);
  observer.observe({ type: "paint", buffered: true });
  function finish() {
    clearTimeout(timer);
    observer.disconnect();
    run();
  }
}
