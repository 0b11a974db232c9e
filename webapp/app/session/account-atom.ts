import { atom, type PrimitiveAtom } from "jotai/vanilla";
import { userAtom } from "./session.ts";
import { store } from "../store.ts";

/** Changes on sign-in and sign-out, but not when the same account's data is refetched. */
export const accountIdAtom = atom((get) => get(userAtom)?._id);

/** An atom that resets to its initial value when the account changes. */
export function accountAtom<T>(initial: Exclude<T, (...args: never[]) => unknown>): PrimitiveAtom<T> {
  const state = atom<T>(initial);
  store.sub(accountIdAtom, () => store.set(state, initial));
  return state;
}
