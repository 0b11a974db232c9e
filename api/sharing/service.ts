export { isShareLink, readSharePreview } from "./preview.ts";
