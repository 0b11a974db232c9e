// Runs beside capture processing in the offscreen document and keeps the library list up to date.
import { startLibraryRefresh } from "./refresh-library.ts";

startLibraryRefresh();
