import { parentPort, workerData } from "node:worker_threads";
import { findDamage } from "./integrity.ts";

parentPort?.postMessage(findDamage(String(workerData)), []);
