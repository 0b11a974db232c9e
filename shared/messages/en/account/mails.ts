/** Emails that the server sends: one link each, and what to do if it was not requested. */
export const mails = {
  reset_subject: "Reset your Lamplight password",
  reset:
    "Someone requested a new password for your account. Use this link to set one. It works once and expires in an hour:",
  reset_else: "If this wasn't you, you can ignore this email. Your password has not changed.",
  verify_subject: "Confirm your email address",
  verify: "Open this link to confirm your email address. It expires in three days:",
  verify_else:
    "If you don't have a Lamplight account, you can ignore this email. Someone probably mistyped their address.",
  moved_subject: "Your Lamplight email address was changed",
  moved: "The email address of your account was changed. You can no longer sign in with this one.",
  moved_else: "If this wasn't you, contact your Lamplight administrator at once.",
  password_subject: "Your Lamplight password was changed",
  password: "The password of your account was changed and you were signed out on all other devices.",
  password_else: "If this wasn't you, set a new password with “Forgot your password?” on the sign-in page.",
  joined_subject: "New sign-in method for your Lamplight account",
  joined: "You signed in to Lamplight with {{name}}. From now on you can use it to sign in to your account.",
  joined_else: "If this wasn't you, secure your {{name}} account and contact your Lamplight administrator.",
  lockout_subject: "Ten wrong passwords for your Lamplight account",
  lockout:
    "Someone entered ten wrong passwords for your account. Signing in with a password is paused for 15 minutes. Devices that are signed in keep working.",
  lockout_else:
    "If this was you, wait or use “Forgot your password?” on the sign-in page. If it wasn't, use a password that nobody can guess.",
  guessed_subject: "Sign-in to Lamplight after wrong passwords",
  guessed: "Someone signed in to your account after {{name}} wrong passwords.",
  guessed_else:
    "If this wasn't you, set a new password with “Forgot your password?” on the sign-in page. It signs out every device.",
  feedback_answer_subject: "Your feedback on Lamplight",
  invite_subject: "You're invited to Lamplight",
  invite: "Use this link to create your account. It works once and expires in two weeks:",
  invite_else: "If you weren't expecting this invitation, you can ignore this email.",
} as const;
