export const marketing = {
  nav: "Site",
  pricing: "Pricing",
  sign_in: "Sign in",
  go_home: "Open workspace",
  start_studying: "Start studying",
  footer: "Lamplight is open source under the MIT licence.",
} as const;
