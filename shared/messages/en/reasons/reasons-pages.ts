export const reasonsPages = {
  no_page: "There is no such page.",
  no_component: "There is no such component.",
  no_version: "There is no such version.",
  page_full: "This page is full.",
  page_too_deep: "Pages cannot lie that deep.",
  content_misfit: "This content does not fit its component.",
  component_too_large: "This is too much for one component. Please split it.",
  component_other_id: "The component has another id than its request.",
  no_folder: "There is no such folder.",
  folder_in_itself: "A folder can't be moved into itself.",
  folder_without_words: "This folder holds nothing that a title could be made from.",
  nothing_to_pin: "There is no such thing to pin.",
} as const;
