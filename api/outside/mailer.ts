import { createTransport } from "nodemailer";
import type { Settings } from "#api/settings.ts";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text: a mail that asks for trust should have nothing hidden in it. */
  text: string;
}

export interface Mailer {
  /** False where the operator named no mail server. */
  readonly isSet: boolean;
  /** Rejects where the mail server did not take it. */
  send(mail: Mail): Promise<void>;
}

const PATIENCE_MS = 20_000;

export function makeMailer({ SMTP_URL, MAIL_FROM }: Pick<Settings, "SMTP_URL" | "MAIL_FROM">): Mailer {
  if (!SMTP_URL || !MAIL_FROM)
    return { isSet: false, send: () => Promise.reject(new Error("no mail server is named (SMTP_URL)")) };
  const { hostname, port, protocol, username, password } = new URL(SMTP_URL);
  const transport = createTransport({
    host: hostname,
    secure: protocol === "smtps:",
    ...(port && { port: Number(port) }),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // A mail is words alone: nothing that a user typed may name a file or an address to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isSet: true,
    async send({ to, subject, text }) {
      await transport.sendMail({ from: MAIL_FROM, to: { name: "", address: to }, subject, text });
    },
  };
}
