import { RouterProvider } from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "#shared/ui/base.css";
import { loadLanguage } from "./kit/language.ts";
import { navigateBy } from "./kit/navigation.ts";
import { store } from "./kit/store.ts";
import { followDevice } from "./kit/theme.ts";
import { noticeUpdate } from "./kit/updated.ts";
import { makeRouter } from "./routes/router.tsx";

// If `boot.js` has started it already, this import returns the same module.
if (location.pathname.startsWith("/pdf/")) void import("./pdf/expected.ts");

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
