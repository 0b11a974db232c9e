import { atom } from "jotai/vanilla";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { foldersAtom } from "#webapp/library/folders.ts";

/** Derived from the account id, so that adding the sample on two devices creates it once. */
export const getSampleFolderId = (accountId: string): string => `sample-${accountId}`;
export const getSamplePageIds = (accountId: string) =>
  ({ notes: `sample-notes-${accountId}`, tries: `sample-tries-${accountId}` }) as const;

/** Whether the sample content exists and is not deleted. */
export const hasSampleAtom = atom((get) => {
  const accountId = get(accountIdAtom);
  const folders = get(foldersAtom) ?? [];
  return accountId !== undefined && folders.some(({ _id }) => _id === getSampleFolderId(accountId));
});
