export const reasonsReferences = {
  reference_identifier: "Enter a DOI, an ISBN or a web address.",
  reference_lookup_off: "This server does not look this up.",
  reference_not_found: "No source was found for this.",
  reference_unreachable: "The service did not answer. Please try again in a moment.",
} as const;
