export const reasonsPages = {
  no_page: "Diese Seite gibt es nicht.",
  no_component: "Dieses Element gibt es nicht.",
  no_version: "Diese Fassung gibt es nicht.",
  page_full: "Diese Seite ist voll.",
  page_too_deep: "So tief können Seiten nicht liegen.",
  content_misfit: "Dieser Inhalt passt nicht zu seinem Element.",
  component_too_large: "Das ist zu viel für ein Element. Bitte teile es auf.",
  component_other_id: "Das Element hat eine andere Kennung als seine Anfrage.",
  no_folder: "Diesen Ordner gibt es nicht.",
  folder_in_itself: "Ein Ordner kann nicht in sich selbst liegen.",
  folder_without_words: "In diesem Ordner ist nichts, woraus ein Titel werden könnte.",
  nothing_to_pin: "Das zum Anheften gibt es nicht.",
} as const;
