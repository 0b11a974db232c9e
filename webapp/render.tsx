import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { Provider } from "jotai/react";
import { prerender } from "react-dom/static";
import { t } from "#shared/messages/translate.ts";
import { store } from "#webapp/app/store.ts";
import { createAppRouter } from "#webapp/routes/router.tsx";

/** Renders a public page to HTML, for the build. */
export async function render(address: string): Promise<{ body: string; head: string; title: string }> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }));
  await router.load();
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
    { onError: (error) => void errors.push(error) },
  );
  if (errors.length > 0) throw new AggregateError(errors, `${address} could not be rendered`);
  const body = await new Response(prelude).text();
  const screenTitle = router.state.matches.at(-1)?.staticData.title ?? "";
  const product = t("common.product");
  const title = screenTitle.startsWith(product) ? screenTitle : `${screenTitle} · ${product}`;
  return { body, title, head: `<meta name="description" content="${t("marketing.description")}" />` };
}
