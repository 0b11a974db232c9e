import { contentAtom, createPage, livePagesAtom } from "#webapp/library/content.ts";
import { store } from "#webapp/app/store.ts";

let pendingPage: Promise<string> | undefined;

/** Returns an existing blank page or creates one. Concurrent calls share one creation. */
export function findBlankPage(): Promise<string> {
  const blank = store.get(livePagesAtom).find((page) => page.title === "" && isEmptyPage(page));
  if (blank) return Promise.resolve(blank._id);
  pendingPage ??= createPage().finally(() => {
    pendingPage = undefined;
  });
  return pendingPage;
}

function isEmptyPage(page: { _id: string; components: readonly string[] }): boolean {
  const content = store.get(contentAtom);
  const hasComponents = content.state === "ready" && content.components.some(({ pageId }) => pageId === page._id);
  return page.components.length === 0 && !hasComponents;
}
