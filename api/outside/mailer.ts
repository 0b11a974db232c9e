import type { Transporter } from "nodemailer";
import type { Settings } from "#api/settings.ts";

export interface Mail {
  to: string;
  subject: string;
  /** Plain text only: a message that asks for trust should hide nothing. */
  text: string;
}

export interface Mailer {
  /** False if the operator configured no mail server. */
  readonly isConfigured: boolean;
  /** Rejects if the mail server does not accept the message. */
  send(mail: Mail): Promise<void>;
}

const TIMEOUT_MS = 20_000;

export function createMailer({ SMTP_URL, MAIL_FROM }: Pick<Settings, "SMTP_URL" | "MAIL_FROM">): Mailer {
  if (!SMTP_URL || !MAIL_FROM)
    return { isConfigured: false, send: () => Promise.reject(new Error("no mail server is configured (SMTP_URL)")) };
  const { hostname, port, protocol, username, password } = new URL(SMTP_URL);
  let transport: Promise<Transporter> | undefined;
  const options = {
    host: hostname,
    secure: protocol === "smtps:",
    ...(port && { port: Number(port) }),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Messages are text only: user input must never name a file or URL to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // The module is loaded with the first message, so that the server starts sooner.
  const connect = async () => (await import("nodemailer")).createTransport(options);
  return {
    isConfigured: true,
    async send({ to, subject, text }) {
      transport ??= connect();
      await (await transport).sendMail({ from: MAIL_FROM, to: { name: "", address: to }, subject, text });
    },
  };
}
