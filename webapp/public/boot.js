/* oxlint-disable no-console -- the specification asks for the warning. */
// Runs before the first paint, so that neither the wrong theme nor the wrong page flashes.
(function () {
  var theme = readStored("lamplight_theme");
  var dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  showTheme(dark);
  var isSignedIn = /(?:^|; )lamplight_token=[^;]/.test(document.cookie);
  var build = document.currentScript ? document.currentScript.dataset : {};
  document.documentElement.classList.toggle("signed-in", isSignedIn);
  // A public page has its own language. The language chosen in the app applies too, unless another was chosen on a page.
  if (build.site) startPublicPage(build.site);
  else {
    var language = findLanguage(isSignedIn);
    document.documentElement.lang = language;
    document.documentElement.dir = language === "en-x-mirrored" ? "rtl" : "ltr";
    if (build.form) startForm(build.form === language);
  }
  storeReferralCode();
  if (isSignedIn) startEarly(build);
  // A page or quote in the address is found by the app, so the app does not wait for the first page.
  startApp(build, isSignedIn && !/[?&](?:page|quote)=/.test(location.search));
  // Signed-in users skip the landing page.
  if (location.pathname === "/" && isSignedIn) location.replace("/home");
})();

function showTheme(isDark) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.documentElement.classList.toggle("dark", isDark);
}

/** Stores the code of an invitation link until the visitor creates an account. */
function storeReferralCode() {
  var code = new URLSearchParams(location.search).get("ref");
  if (!code) return;
  try {
    localStorage.setItem("referral_code", code.slice(0, 120));
  } catch (error) {
    console.warn("The referral code could not be stored", error);
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
 * The language chosen in the app, otherwise the one chosen on a public page, otherwise the first supported language of the
 * device. The texts are loaded with the app.
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
  // The app has its own listener for the device's theme.
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
 * The form is shown before the app has loaded. The app takes over its input (`webapp/app/early-form.ts`) and a submission,
 * unless the visitor types again after it. A form in another language than the app's stays hidden until the app has
 * loaded.
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
    // The link to the other form keeps the query, which names the page the student came from.
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

/** A click needs the same element from press to release, so the app replaces the form while no pointer is down. */
function watchPress() {
  addEventListener("pointerdown", function (event) {
    if (event.isPrimary && event.button === 0) document.documentElement.dataset.pressed = "";
  });
  // A context menu or another window receives the release instead of the page.
  ["pointerup", "pointercancel", "contextmenu", "blur"].forEach(function (name) {
    addEventListener(name, function () {
      // Runs after the click event.
      setTimeout(function () {
        delete document.documentElement.dataset.pressed;
        dispatchEvent(new Event("lamplight-released"));
      });
    });
  });
}

/** The form does not work without the app, so it shows an error, even in another language than the app's. */
function showFailedForm() {
  var message = document.getElementById("early-failed");
  if (!message) return;
  document.documentElement.classList.remove("early-hidden");
  message.hidden = false;
  setSubmitted(message.closest("form"), false);
}

/** Requests the many small files of a page at once, before each is found through another's imports. */
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

/** Loads the files of the screen in the address together with the app; the build lists them. */
function startEarly(build) {
  if (build.page && location.pathname.indexOf("/page/") === 0) preload(build.page.split(" "));
  if (build.early === undefined || location.pathname.indexOf(build.early) !== 0) return;
  window.lamplightReader = new Worker(build.worker, { type: "module" });
  // The first file is run; the others are its imports and the screen's.
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
 * Starts the app if the document does not load it itself: at once, or after the first page of a document is shown, because
 * both need the network and the processor. It waits 1.5 seconds at most.
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
    // A hidden form is not painted and cannot be used, so nothing would start the app.
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

/** Fetches the app's files after the first paint, and runs them when the visitor uses the form. */
function startOnUse(files, start) {
  ["pointermove", "pointerdown", "keydown", "focusin", "input", "submit"].forEach(function (name) {
    addEventListener(name, start, { once: true });
  });
  afterPaint(function () {
    files.forEach(function (address) {
      // One task for each file: starting fifty requests in one task blocks a phone.
      setTimeout(function () {
        preload([address]);
      });
    });
  });
}

/** Runs after the first paint. A hidden tab is not painted, and some browsers do not report it, so the wait has a limit. */
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
