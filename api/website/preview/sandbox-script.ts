import { createHash } from "node:crypto";

/**
 * Runs before everything else in each document and each script of a site. It removes what no content policy stops
 * (WebRTC), supplies storage where an opaque origin has none, and reports errors and the first paint to the frame's
 * parent.
 */
export const PRELUDE = `(function () {
  if (typeof window === "undefined") return;
  var gone = ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection", "RTCDataChannel", "WebTransport"];
  for (var i = 0; i < gone.length; i += 1) {
    try {
      Object.defineProperty(window, gone[i], { value: undefined, writable: false, configurable: false });
    } catch (error) {
      window[gone[i]] = undefined;
    }
  }
  if (window.__lamplight) return;
  Object.defineProperty(window, "__lamplight", { value: true });
  var post = window.parent.postMessage.bind(window.parent);
  var isFramed = window.parent !== window;
  function report(type, text) {
    if (isFramed) post({ lamplight: "site", type: type, text: String(text).slice(0, 1000) }, "*");
  }
  function storage(kind, initial) {
    var entries = new Map(Object.entries(initial));
    function changed() {
      if (isFramed) post({ lamplight: "site", type: "storage", kind: kind, entries: Object.fromEntries(entries) }, "*");
    }
    var api = {
      getItem: function (key) { return entries.has(String(key)) ? entries.get(String(key)) : null; },
      setItem: function (key, value) { entries.set(String(key), String(value)); changed(); },
      removeItem: function (key) { entries.delete(String(key)); changed(); },
      clear: function () { entries.clear(); changed(); },
      key: function (index) { return Array.from(entries.keys())[index] || null; },
      get length() { return entries.size; }
    };
    Object.defineProperty(window, kind, { value: api, configurable: false });
  }
  var stored = {};
  try {
    stored = JSON.parse(window.name || "{}");
  } catch (error) {
    stored = {};
  }
  ["localStorage", "sessionStorage"].forEach(function (kind) {
    try {
      window[kind].getItem("x");
    } catch (error) {
      storage(kind, (stored && typeof stored[kind] === "object" && stored[kind]) || {});
    }
  });
  var write = console.error.bind(console);
  console.error = function () {
    report("error", Array.prototype.map.call(arguments, function (one) { return one && one.stack ? one.stack : one; }).join(" "));
    write.apply(null, arguments);
  };
  window.addEventListener("error", function (event) {
    report("error", event.message || "A file could not be loaded");
  });
  window.addEventListener("unhandledrejection", function (event) {
    report("error", event.reason && event.reason.message ? event.reason.message : event.reason);
  });
  document.addEventListener("securitypolicyviolation", function (event) {
    report("blocked", event.effectiveDirective + " " + event.blockedURI);
  });
  window.addEventListener("load", function () {
    requestAnimationFrame(function () {
      requestAnimationFrame(function () {
        var text = document.body ? document.body.innerText.trim() : "";
        report(text === "" && !document.querySelector("img, svg, canvas") ? "blank" : "painted", text.slice(0, 200));
      });
    });
  });
})();`;

const hash = createHash("sha256").update(PRELUDE).digest("base64");

/** The source of the content policy that admits the prelude as the only inline script. */
export const PRELUDE_SOURCE = `'sha256-${hash}'`;

export const withPrelude = (code: string): string => `${PRELUDE}\n${code}`;
