import { atom } from "jotai/vanilla";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";

const BUILTIN = "lamplight-builtin";

/** Whether a language model answers. Without a model, only certain commands are understood. */
export const hasModelAtom = atom(false);

export async function loadHasModel(): Promise<void> {
  try {
    const { defaultModel } = await client.tutor.listModels({});
    store.set(hasModelAtom, defaultModel !== BUILTIN);
  } catch (error) {
    logWarning("Could not load the models", error);
  }
}
