// Offscreen document that processes captures, because Chrome ends service workers after 30 seconds.
import { startProcessing } from "./delivery/process-captures.ts";

startProcessing();
