import { reasonsUploads } from "#shared/messages/en/reasons/reasons-uploads.ts";
import { addReasons } from "#shared/messages/translate.ts";

// The checks of an upload are made here before anything is sent, so that no server sends their English text.
addReasons(reasonsUploads);
