export { readSharePreview } from "./preview.ts";
