export const reasonsPages = {
  no_page: "Diese Seite gibt es nicht, oder sie wurde nicht mit dir geteilt.",
  no_component: "Diesen Block gibt es nicht, oder er wurde nicht mit dir geteilt.",
  no_version: "Diese Version gibt es nicht.",
  page_full: "Diese Seite ist voll. Schreibe auf einer neuen Seite weiter.",
  page_too_deep: "So tief können Seiten nicht verschachtelt werden.",
  content_type_mismatch: "Dieser Inhalt passt nicht zur Art seines Blocks.",
  component_too_large: "Dieser Block ist zu groß. Teile ihn auf.",
  component_other_id: "Die ID der Komponente stimmt nicht mit der ID der Anfrage überein.",
  no_folder: "Diesen Ordner gibt es nicht, oder er wurde nicht mit dir geteilt.",
  folder_in_itself: "Ein Ordner kann nicht in sich selbst verschoben werden.",
  folder_without_content: "Dieser Ordner enthält nichts für einen Titelvorschlag.",
  nothing_to_pin: "Das anzuheftende Element gibt es nicht.",
} as const;
