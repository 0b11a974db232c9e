import { createStore } from "jotai/vanilla";

/** The one store of atoms, so that code outside React (the session, the queue) reads and writes what screens show. */
export const store = createStore();
