import { RouterProvider } from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "#shared/ui/base.css";
import { loadLanguage } from "#webapp/app/browser/language.ts";
import { navigateBy } from "#webapp/app/navigation.ts";
import { store } from "#webapp/app/store.ts";
import { followDevice } from "#webapp/app/browser/theme.ts";
import { noticeUpdate } from "#webapp/app/updated.ts";
import { makeRouter } from "#webapp/routes/router.tsx";

// If `boot.js` has started it already, this import returns the same module.
if (location.pathname.startsWith("/pdf/")) void import("#webapp/pdf/viewer/expected.ts");

const router = makeRouter();
navigateBy((href) => void router.navigate({ href }));
followDevice();

window.addEventListener("vite:preloadError", () => void noticeUpdate());

const place = document.getElementById("app");
if (place === null) throw new Error("The element #app is missing");

await loadLanguage();
// The prerendered page stays visible until the screen is loaded, and is then replaced in one step.
await router.load();
createRoot(place).render(
  <StrictMode>
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
);
