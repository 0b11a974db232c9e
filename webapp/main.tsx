import { RouterProvider } from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { StrictMode, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import "#shared/ui/base.css";
import { loadLanguage } from "#webapp/app/browser/language.ts";
import { removeEarlyForm, waitForRelease } from "#webapp/app/early-form.ts";
import { store } from "#webapp/app/store.ts";
import { followDeviceTheme } from "#webapp/app/browser/theme.ts";
import { notifyOfUpdate } from "#webapp/app/app-updated.ts";
import { connectNavigation, createAppRouter } from "#webapp/routes/router.tsx";

// If `boot.js` has already started this module, the import returns the same instance.
if (location.pathname.startsWith("/pdf/")) void import("#webapp/pdf/viewer/preloaded-document.ts");

const router = createAppRouter();
connectNavigation(router);
followDeviceTheme();

window.addEventListener("vite:preloadError", () => void notifyOfUpdate());

const root = document.getElementById("app");
if (root === null) throw new Error("The element #app is missing");

function App({ container }: { container: HTMLElement }) {
  // The effect of the app's form, which reads the prerendered form, runs before this effect.
  useLayoutEffect(() => removeEarlyForm(container), [container]);
  return (
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>
  );
}

await loadLanguage();
// A prerendered form stays visible until the screen is loaded, and is then replaced in one step.
await router.load();
await waitForRelease();
createRoot(root).render(
  <StrictMode>
    <App container={root} />
  </StrictMode>,
);
