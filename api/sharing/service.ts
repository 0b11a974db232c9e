export { previewOf } from "./preview.ts";
