export { appliers, leaveLists } from "./apply-folder.ts";
