/** Types for the parts of the package that tests use; it has none of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Account {
    accountId: string;
    claims(): Promise<Record<string, unknown>>;
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface Configuration {
    findAccount(ctx: { oidc: { client?: { clientId: string } } }, id: string): Promise<Account | undefined>;
    interactions: { url(ctx: unknown, interaction: { uid: string }): string };
    [name: string]: unknown;
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    use(middleware: (ctx: { body?: Record<string, unknown> }, next: () => Promise<void>) => Promise<void>): void;
    readonly Grant: new (of: { accountId: string; clientId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string }; params: Record<string, unknown> }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
