import { failures } from "#shared/messages/en/failures.ts";
import { reasonsUploads } from "#shared/messages/en/reasons-uploads.ts";

/** Of the web app's words those that shared code says here: the build puts this in the place of the whole table. */
export const english = { failures, reasons: reasonsUploads } as const;
