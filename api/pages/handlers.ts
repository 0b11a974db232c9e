import { uploadHandlers } from "./uploads.ts";

export const handlers = { ...uploadHandlers };
