import { failures } from "#shared/messages/en/app/failures.ts";

/** Of the web app's words those that shared code says here: the build puts this in the place of the whole table. */
export const english = { failures } as const;
