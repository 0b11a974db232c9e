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
  // Who is signed in does not see the landing page.
  if (location.pathname === "/" && /(?:^|; )lamplight_token=[^;]/.test(document.cookie)) location.replace("/home");
})();
