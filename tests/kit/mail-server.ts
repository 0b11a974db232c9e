import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { onTestFinished, vi } from "vitest";

interface ReceivedMail {
  to: string;
  text: string;
}

export interface MailServer {
  /** Settings under which the API sends its mail here. */
  env: Record<string, string>;
  received: ReceivedMail[];
  /** Whether the server says no to every mail. */
  refuses: boolean;
  /** The `nth` mail to an address, waited for. */
  mailTo(address: string, nth?: number): Promise<string>;
  /** The token of the link in that mail. */
  tokenTo(address: string, nth?: number): Promise<string>;
}

/** A real mail server that keeps what it is given. */
export async function aMailServer(): Promise<MailServer> {
  const state = { received: [] as ReceivedMail[], refuses: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const keep = async () => {
        const raw = await text(stream);
        if (state.refuses) return done(new Error("mailbox full"));
        // Long links are broken over lines for the way.
        const body = raw.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
        for (const { address } of envelope.rcptTo) state.received.push({ to: address, text: body });
        return done();
      };
      void keep();
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)));
  const { port } = server.server.address() as AddressInfo;
  const mailTo = (address: string, nth = 0) =>
    vi.waitFor(() => {
      const mail = state.received.filter(({ to }) => to === address)[nth];
      if (!mail) throw new Error(`no mail came to ${address}`);
      return mail.text;
    }, 20_000);
  return Object.assign(state, {
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Lamplight <study@example.org>" },
    mailTo,
    tokenTo: async (address: string, nth?: number) => /#token=([\w-]+)/.exec(await mailTo(address, nth))?.[1] ?? "",
  });
}
