import { atom } from "jotai/vanilla";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { foldersAtom } from "#webapp/library/folders.ts";

/** Ids that follow from the account: the sample put in twice, on two devices, is one sample. */
export const sampleFolderId = (accountId: string): string => `sample-${accountId}`;
export const samplePageIds = (accountId: string) =>
  ({ notes: `sample-notes-${accountId}`, tries: `sample-tries-${accountId}` }) as const;

/** Whether the sample is there to be looked at. */
export const hasSampleAtom = atom((get) => {
  const accountId = get(accountIdAtom);
  const folders = get(foldersAtom) ?? [];
  return accountId !== undefined && folders.some(({ _id }) => _id === sampleFolderId(accountId));
});
