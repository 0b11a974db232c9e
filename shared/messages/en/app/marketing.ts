export const marketing = {
  nav: "Site",
  pricing: "Pricing",
  sign_in: "Sign in",
  go_home: "Open workspace",
  start_studying: "Start studying",
  help_search: "Search the help",
  help_found_one: "{{count}} article found",
  help_found_other: "{{count}} articles found",
  help_failed: "The help cannot be reached right now.",
  footer: "Lamplight is open source under the MIT licence.",
} as const;
