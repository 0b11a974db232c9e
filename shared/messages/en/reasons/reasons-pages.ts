export const reasonsPages = {
  no_page: "This page does not exist or is not shared with you.",
  no_component: "This block does not exist or is not shared with you.",
  no_version: "This version does not exist.",
  page_full: "This page is full. Continue on a new page.",
  page_too_deep: "Pages can't be nested this deeply.",
  content_type_mismatch: "This content does not match the type of its block.",
  component_too_large: "This block is too large. Split it.",
  component_other_id: "The ID of the component is not the ID of the request.",
  no_folder: "This folder does not exist or is not shared with you.",
  folder_in_itself: "A folder can't be moved into itself.",
  folder_without_content: "This folder contains nothing to suggest a title from.",
  nothing_to_pin: "The item to pin does not exist.",
} as const;
