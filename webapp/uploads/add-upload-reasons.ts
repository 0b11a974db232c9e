import { reasonsUploads } from "#shared/messages/en/reasons/reasons-uploads.ts";
import { addReasons } from "#shared/messages/translate.ts";

// Uploads are checked here before they are sent, so these reasons have no English text from the server.
addReasons(reasonsUploads);
