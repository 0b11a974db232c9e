export const reasonsWebsite = {
  no_website: "This website does not exist or was deleted.",
  no_checkpoint: "This checkpoint does not exist any more.",
  no_site_file: "This file does not exist in the website.",
  no_site_document:
    "The website's document was changed into something else. Restore an earlier checkpoint to use the forms.",
  site_path_invalid: "“{{path}}” cannot be the path of a file. Example: /src/main.tsx",
  site_file_too_large: "“{{path}}” is larger than 512 KB.",
  site_too_large: "A website can have 200 files and 5 MB in all.",
  site_changed_elsewhere: "The website was changed somewhere else in the meantime. Try again.",
  site_section_empty: "These sources hold nothing for this section. Choose other sources or another section.",
  site_sources_too_long: "There is more in these sources than one website can hold. Choose fewer of them.",
  site_sources_empty: "These sources hold no text that a website could be made from. Choose other sources.",
  site_does_not_build: "The website does not build. Correct the errors first.",
  too_many_sections: "A website can have 40 sections.",
  too_many_websites: "You can have {{most}} websites. Delete one to make room.",
  too_many_threads: "A website can have {{most}} conversations.",
  website_unlisted_only: "A website is shared by its link only. It cannot be listed on Explore.",
} as const;
