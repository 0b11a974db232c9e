import { RouterProvider } from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { t } from "#shared/messages/translate.ts";
import "#shared/ui/base.css";
import { notify } from "./kit/alerts.ts";
import { loadLanguage } from "./kit/language.ts";
import { navigateBy } from "./kit/navigation.ts";
import { store } from "./kit/store.ts";
import { followDevice } from "./kit/theme.ts";
import { makeRouter } from "./routes/router.tsx";

const UPDATE_NOTICE_EVERY_MS = 30_000;

// Where `boot.js` has begun it already, this is what it began.
if (location.pathname.startsWith("/pdf/")) void import("./pdf/expected.ts");

const router = makeRouter();
navigateBy((href) => void router.navigate({ href }));
followDevice();

let noticedAt = -UPDATE_NOTICE_EVERY_MS;

/** A file of the last version is gone from the server after an update; without a network it is only out of reach. */
async function noticeUpdate(): Promise<void> {
  if (performance.now() - noticedAt < UPDATE_NOTICE_EVERY_MS) return;
  const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!answer?.ok) return;
  noticedAt = performance.now();
  notify({ message: t("failures.app_updated"), type: "info" });
}
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
