import { failures } from "#shared/messages/en/app/failures.ts";
import { reasonsUploads } from "#shared/messages/en/reasons/reasons-uploads.ts";

/** The web app's strings that shared code uses here; the build substitutes this for the full table. */
export const english = { failures, reasons: reasonsUploads } as const;
