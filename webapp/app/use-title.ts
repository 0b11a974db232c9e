import { useAtomValue, useSetAtom } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { t, translateTitle } from "#shared/messages/translate.ts";

const screenTitleAtom = atom<string | null>(null);

/** Sets the document title on screens that show one item, such as a page. */
export function useTitle(title: string): void {
  const setScreenTitle = useSetAtom(screenTitleAtom);
  useEffect(() => {
    setScreenTitle(title);
    return () => setScreenTitle(null);
  }, [title, setScreenTitle]);
}

/** Sets the document title to the screen's own title or the title from the screens table. */
export function useDocumentTitle(rowTitle: string | undefined): void {
  const screenTitle = useAtomValue(screenTitleAtom);
  const title = screenTitle ?? (rowTitle && translateTitle(rowTitle));
  useEffect(() => {
    if (title === undefined) return;
    const product = t("common.product");
    document.title = title.startsWith(product) ? title : `${title} · ${product}`;
  }, [title]);
}
