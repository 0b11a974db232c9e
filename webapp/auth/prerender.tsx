import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { createStore } from "jotai/vanilla";
import { renderToStaticMarkup } from "react-dom/server";
import * as german from "#shared/messages/german.ts";
import { setLanguage, t, translateTitle } from "#shared/messages/translate.ts";
import { screens } from "#shared/screens.ts";
import type { PrerenderedForm } from "#webapp/build/built-site.ts";
import { CenteredLayout } from "#webapp/ui/layouts/centered-layout.tsx";
import { LoginScreen } from "./login-screen.tsx";
import { RegisterScreen } from "./register-screen.tsx";

const forms = [
  [screens.login, LoginScreen],
  [screens.register, RegisterScreen],
] as const;

/** Renders the forms in each language for the build, as a visitor first sees them. */
export async function renderForms(): Promise<PrerenderedForm[]> {
  // The forms read an invitation code from `location`.
  Object.assign(globalThis, { location: { search: "" } });
  const english = await renderAll("en");
  await setLanguage("de", german);
  return [...english, ...(await renderAll("de"))];
}

const renderAll = (language: "en" | "de"): Promise<PrerenderedForm[]> =>
  Promise.all(
    forms.map(async ([{ path, title }, component]) => {
      const root = createRootRoute({ component: CenteredLayout });
      const router = createRouter({
        routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path, component })]),
        history: createMemoryHistory({ initialEntries: [path] }),
        isServer: true,
      });
      await router.load();
      const markup = renderToStaticMarkup(
        <Provider store={createStore()}>
          <RouterProvider router={router} />
        </Provider>,
      );
      // On an error, the router renders an error screen instead of throwing.
      if (!markup.includes("<form")) throw new Error(`${path} was rendered without its form`);
      const withNotices = markup.replace(/<form[^>]*>/, (tag) => tag + renderToStaticMarkup(<Notices />));
      return { path, language, title: `${translateTitle(title)} · ${t("common.product")}`, markup: withNotices };
    }),
  );

/**
 * Says why the form does not work: JavaScript is off, or the app could not be loaded, in which case `boot.js` shows it.
 */
function Notices() {
  return (
    <>
      <noscript>
        <p className="centered-refusal">{t("auth.needs_javascript")}</p>
      </noscript>
      <p id="early-failed" className="centered-refusal" role="alert" hidden>
        {t("auth.load_failed")}
      </p>
    </>
  );
}
