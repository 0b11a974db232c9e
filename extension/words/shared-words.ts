import { failures } from "#shared/messages/en/app/failures.ts";
import { reasonsUploads } from "#shared/messages/en/reasons/reasons-uploads.ts";

/** The web app's strings that shared code uses in the extension; the build replaces the full table with these. */
export const english = { failures, reasons: reasonsUploads } as const;
