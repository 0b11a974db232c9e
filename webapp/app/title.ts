import { useAtomValue, useSetAtom } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { t, titleHere } from "#shared/messages/translate.ts";

const ownTitleAtom = atom<string | null>(null);

/** Sets the document title on screens that show one item, such as a page. */
export function useTitle(title: string): void {
  const setOwn = useSetAtom(ownTitleAtom);
  useEffect(() => {
    setOwn(title);
    return () => setOwn(null);
  }, [title, setOwn]);
}

/** Sets the document title: the screen's own or the one from the screens table. */
export function useDocumentTitle(rowTitle: string | undefined): void {
  const own = useAtomValue(ownTitleAtom);
  const title = own ?? (rowTitle && titleHere(rowTitle));
  useEffect(() => {
    if (title === undefined) return;
    const product = t("common.product");
    document.title = title.startsWith(product) ? title : `${title} · ${product}`;
  }, [title]);
}
