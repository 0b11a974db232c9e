export const reasonsDocuments = {
  no_pdf: "There is no such PDF.",
  no_document: "There is no such document.",
  which_pdf: "Which PDF?",
  from_after_to: "Must not be after to.",
  no_analysis: "There is no such analysis.",
  analyses_underway: "Other documents are still being summed up. Please wait for one of them.",
  too_little_text:
    "There is too little text in this document to sum up. If it was scanned, its text has to be read first.",
  no_annotation: "There is no such annotation.",
  not_an_annotation: "This is not an annotation of a document.",
  annotation_too_long: "This annotation is too long.",
  recognition_busy: "Other files are being read. Please wait until one of them is done.",
  language_not_recognised: "Only {{languages}} can be recognised here.",
} as const;
