// The document that works through the captures where a service worker would be ended after half a minute (Chrome).
import { startWork } from "./delivery/work.ts";

startWork();
