/** Types for the parts of the package that tests use; it has none of its own. */
declare module "smtp-server" {
  import type { Server } from "node:net";
  import type { Readable } from "node:stream";

  interface Session {
    envelope: { rcptTo: { address: string }[] };
  }
  interface Options {
    authOptional: boolean;
    disabledCommands: string[];
    onData(stream: Readable, session: Session, done: (error?: Error) => void): void;
  }

  export class SMTPServer {
    constructor(options: Options);
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
    readonly server: Server;
  }
}
