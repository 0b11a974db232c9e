/** What the server writes to people: plain words, one link, and what to do if it was not asked for. */
export const mails = {
  reset_subject: "A new password for Lamplight",
  reset: "Somebody, you we hope, asked for a new password. This link sets one. It works once, for an hour:",
  reset_else: "If it was not you, nothing has changed and there is nothing to do.",
  verify_subject: "Is this your address?",
  verify: "Open this link to confirm that this address is yours. It works for three days:",
  verify_else: "If you have no Lamplight account, somebody mistyped their address: please ignore this mail.",
  moved_subject: "Your Lamplight account has another address now",
  moved: "The address of your account was changed, and this one no longer signs in.",
  moved_else: "If it was not you, ask the person who runs this Lamplight for help at once.",
  password_subject: "Your Lamplight password was changed",
  password: "The password of your account was changed, and every other device was signed out.",
  password_else: "If it was not you, set a new one with “Forgot your password?” on the sign-in page.",
  joined_subject: "Another way into your Lamplight account",
  joined: "Your account was entered by way of {{name}}, which vouches for your address, and can be from now on.",
  joined_else:
    "If it was not you, secure that account at {{name}}, and ask the person who runs this Lamplight for help.",
  invite_subject: "You are invited to Lamplight",
  invite: "This link makes you an account. It works once, for two weeks:",
  invite_else: "If you do not know what this is about, please ignore this mail.",
} as const;
