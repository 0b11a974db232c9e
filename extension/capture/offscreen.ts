// Offscreen document that processes captures, because Chrome ends service workers after 30 seconds.
import { startWork } from "./delivery/work.ts";

startWork();
