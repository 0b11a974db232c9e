import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { loadForAccount } from "#webapp/app/session/load-for-account.ts";
import { store } from "#webapp/app/store.ts";

const BUILTIN = "lamplight-builtin";

/** Whether a language model answers. Without a model, only certain commands are understood. */
export const hasModelAtom = accountAtom(false);

export const loadHasModel = (): Promise<void> =>
  loadForAccount(
    () => client.tutor.listModels({}),
    ({ defaultModel }) => store.set(hasModelAtom, defaultModel !== BUILTIN),
    (error) => logWarning("Could not load the models", error),
  );
