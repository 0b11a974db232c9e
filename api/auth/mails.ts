/** What the server writes to people: plain words, one link, and what to do if it was not asked for. */
interface Mail {
  to: string;
  subject: string;
  text: string;
}

const mail = (to: string, subject: string, lines: readonly string[]): Mail => ({
  to,
  subject,
  text: `${lines.join("\n\n")}\n\nLamplight\n`,
});

export const resetMail = (to: string, link: string) =>
  mail(to, "A new password for Lamplight", [
    "Somebody, you we hope, asked for a new password. This link sets one. It works once, for an hour:",
    link,
    "If it was not you, nothing has changed and there is nothing to do.",
  ]);

export const verifyMail = (to: string, link: string) =>
  mail(to, "Is this your address?", [
    "Open this link to confirm that this address is yours. It works for three days:",
    link,
    "If you have no Lamplight account, somebody mistyped their address: please ignore this mail.",
  ]);

export const movedMail = (to: string) =>
  mail(to, "Your Lamplight account has another address now", [
    "The address of your account was changed, and this one no longer signs in.",
    "If it was not you, ask the person who runs this Lamplight for help at once.",
  ]);

export const passwordChangedMail = (to: string) =>
  mail(to, "Your Lamplight password was changed", [
    "The password of your account was changed, and every other device was signed out.",
    "If it was not you, set a new one with “Forgotten password” on the sign-in page.",
  ]);

export const inviteMail = (to: string, link: string) =>
  mail(to, "You are invited to Lamplight", [
    "This link makes you an account. It works once, for two weeks:",
    link,
    "If you do not know what this is about, please ignore this mail.",
  ]);
