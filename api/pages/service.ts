export { findUploaded } from "./uploaded-components.ts";
