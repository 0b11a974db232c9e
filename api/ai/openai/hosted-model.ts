import type { Log } from "#api/log.ts";
import type { ModelServer } from "./server-call.ts";
import type { Budget } from "../budget.ts";
import type { CountCall } from "../count-call.ts";
import type { ModelInfo } from "../port.ts";
import type { PromptLog } from "../prompt-log.ts";
import type { RetryPolicy } from "./retry.ts";

/** A model on a server, with its budget, retry policy and logs. */
export interface HostedModel {
  info: ModelInfo;
  server: ModelServer;
  budget: Budget;
  countCall: CountCall;
  retries: RetryPolicy;
  prompts: PromptLog;
  /** Ids of models whose server refused a request with tools. */
  modelsWithoutTools: Set<string>;
  log: Log;
}
