/** Emails that the server sends. `…_not_you` says what to do if it wasn't you. */
export const mails = {
  reset_subject: "Reset your Lamplight password",
  reset:
    "Someone requested a new password for your account. Use this link to set one. It works once and expires in an hour:",
  reset_not_you: "If this wasn't you, you can ignore this email. Your password has not changed.",
  verify_subject: "Confirm your email address",
  verify: "Open this link to confirm your email address. It expires in three days:",
  verify_not_you:
    "If you don't have a Lamplight account, you can ignore this email. Someone probably mistyped their address.",
  email_changed_subject: "Your Lamplight email address was changed",
  email_changed: "The email address of your account was changed. You can no longer sign in with this one.",
  email_changed_not_you: "If this wasn't you, contact your Lamplight administrator at once.",
  password_subject: "Your Lamplight password was changed",
  password: "The password of your account was changed and you were signed out on all other devices.",
  password_not_you: "If this wasn't you, set a new password with “Forgot your password?” on the sign-in page.",
  provider_linked_subject: "New sign-in method for your Lamplight account",
  provider_linked: "You signed in to Lamplight with {{name}}. From now on you can use it to sign in to your account.",
  provider_linked_not_you: "If this wasn't you, secure your {{name}} account and contact your Lamplight administrator.",
  lockout_subject: "Ten wrong passwords for your Lamplight account",
  lockout:
    "Someone entered ten wrong passwords for your account. Signing in with a password is paused for 15 minutes. Devices that are signed in keep working.",
  lockout_not_you:
    "If this was you, wait or use “Forgot your password?” on the sign-in page. If it wasn't, use a password that nobody can guess.",
  sign_in_after_failures_subject: "Sign-in to Lamplight after wrong passwords",
  sign_in_after_failures: "Someone signed in to your account after {{name}} wrong passwords.",
  sign_in_after_failures_not_you:
    "If this wasn't you, set a new password with “Forgot your password?” on the sign-in page. It signs out every device.",
  feedback_answer_subject: "Your feedback on Lamplight",
  invite_subject: "You're invited to Lamplight",
  invite: "Use this link to create your account. It works once and expires in two weeks:",
  invite_not_you: "If you weren't expecting this invitation, you can ignore this email.",
} as const;
