import { atom } from "jotai/vanilla";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";

/** A page that was made from what a free tool left in this browser. */
interface AdoptedPage {
  pageId: string;
  /** What is on the page. */
  message: string;
}

const adoptedAtom = accountAtom<readonly AdoptedPage[]>([]);
/** The pages made since the app was opened, for onboarding. */
export const adoptedPagesAtom = atom((get) => get(adoptedAtom));

export const addAdoptedPage = (page: AdoptedPage): void => store.set(adoptedAtom, [...store.get(adoptedAtom), page]);
