/* oxlint-disable no-console -- the specification asks for the warning. */
// Runs before anything is painted, so that neither the wrong theme nor the wrong page flashes up.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("lamplight_theme");
  } catch {
    // Storage may be forbidden; the device's own preference serves.
  }
  var dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.classList.toggle("dark", dark);
  // The code of an invitation link is kept until its visitor makes an account.
  var code = new URLSearchParams(location.search).get("ref");
  if (code) {
    try {
      localStorage.setItem("referral_code", code.slice(0, 120));
    } catch (error) {
      console.warn("The referral code could not be kept", error);
    }
  }
  // Who is signed in does not see the landing page.
  if (location.pathname === "/" && /(?:^|; )lamplight_token=[^;]/.test(document.cookie)) location.replace("/home");
})();
