import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { userAtom } from "./session.ts";
import { store } from "../store.ts";

/** Changes when somebody else signs in or out, and not when the same account's data is fetched anew. */
export const accountIdAtom = atom((get) => get(userAtom)?._id);

/** State that belongs to whoever is signed in: the next account starts from the beginning. */
export function accountAtom<T>(initial: Exclude<T, (...args: never[]) => unknown>): PrimitiveAtom<T> {
  const state = atom<T>(initial);
  store.sub(accountIdAtom, () => store.set(state, initial));
  return state;
}
