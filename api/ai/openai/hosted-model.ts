import type { Log } from "#api/log.ts";
import type { ModelServer } from "./server-call.ts";
import type { Budget } from "../budget.ts";
import type { ModelInfo } from "../port.ts";
import type { PromptLog } from "../prompt-log.ts";
import type { RetryPolicy } from "./retry.ts";

/** A model of a server, and what its use is measured and told by. */
export interface HostedModel {
  info: ModelInfo;
  server: ModelServer;
  budget: Budget;
  retries: RetryPolicy;
  prompts: PromptLog;
  /** Models, by their id, whose server refused a request that offered tools. */
  toolless: Set<string>;
  log: Log;
}
