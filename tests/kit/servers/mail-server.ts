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
  /** The address of that link, as it stands in the mail. */
  linkTo(address: string, nth?: number): Promise<string>;
}

/** Bytes written as `=C3=BC`, lines broken by `=` at their end. */
const fromQuoted = (written: string) =>
  Buffer.from(
    written
      .replaceAll(/=\r\n/g, "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

const fromWord = (_: string, kind: string, written: string) =>
  kind.toUpperCase() === "B"
    ? Buffer.from(written, "base64").toString("utf8")
    : fromQuoted(written.replaceAll("_", " "));

/** A mail as its reader sees it, headers and words: what was encoded for the way is decoded. */
function opened(raw: string): string {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const headers = head.replaceAll(/\?=\r\n\s+=\?/g, "?==?").replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, fromWord);
  const written = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (written === "base64") return `${headers}\n\n${Buffer.from(body, "base64").toString("utf8")}`;
  return `${headers}\n\n${written === "quoted-printable" ? fromQuoted(body) : body}`;
}

/** A real mail server that keeps what it is given. */
export async function aMailServer(): Promise<MailServer> {
  const state = { received: [] as ReceivedMail[], refuses: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const storeMail = async () => {
        const raw = await text(stream);
        if (state.refuses) return done(new Error("mailbox full"));
        for (const { address } of envelope.rcptTo) state.received.push({ to: address, text: opened(raw) });
        return done();
      };
      void storeMail();
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
    linkTo: async (address: string, nth?: number) => /^https?:\S+/m.exec(await mailTo(address, nth))?.[0] ?? "",
    tokenTo: async (address: string, nth?: number) => /#token=([\w-]+)/.exec(await mailTo(address, nth))?.[1] ?? "",
  });
}
