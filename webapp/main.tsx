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

// Where `boot.js` has begun it already, this is what it began.
if (location.pathname.startsWith("/pdf/")) void import("#webapp/pdf/viewer/expected.ts");

const router = makeRouter();
navigateBy((href) => void router.navigate({ href }));
followDevice();

window.addEventListener("vite:preloadError", () => void noticeUpdate());

const place = document.getElementById("app");
if (place === null) throw new Error("The page has no place for the app");

await loadLanguage();
// The prerendered page stays until the screen behind it is there, and is then replaced in one step.
await router.load();
createRoot(place).render(
  <StrictMode>
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>
  </StrictMode>,
);
