import { createStore } from "jotai/vanilla";

/** The single jotai store, so that code outside React (the session, the queue) can read and write atoms. */
export const store = createStore();
