export const reasonsReferences = {
  reference_identifier: "Gib einen DOI, eine ISBN oder eine Webadresse ein.",
  reference_lookup_off: "Dieser Server schlägt das nicht nach.",
  reference_not_found: "Dazu wurde keine Quelle gefunden.",
  reference_unreachable: "Der Dienst hat nicht geantwortet. Bitte versuche es gleich noch einmal.",
} as const;
