import { useAtomValue, useSetAtom } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { t, titleHere } from "#shared/messages/translate.ts";

const ownTitleAtom = atom<string | null>(null);

/** A screen that shows one thing names the document after it, as a page does. */
export function useTitle(title: string): void {
  const setOwn = useSetAtom(ownTitleAtom);
  useEffect(() => {
    setOwn(title);
    return () => setOwn(null);
  }, [title, setOwn]);
}

/** Keeps the document's title: the screen's own, or else that of its row in the screens table. */
export function useDocumentTitle(rowTitle: string | undefined): void {
  const own = useAtomValue(ownTitleAtom);
  const title = own ?? (rowTitle && titleHere(rowTitle));
  useEffect(() => {
    if (title === undefined) return;
    const product = t("common.product");
    document.title = title.startsWith(product) ? title : `${title} · ${product}`;
  }, [title]);
}
