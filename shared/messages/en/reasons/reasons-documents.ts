export const reasonsDocuments = {
  no_pdf: "This PDF does not exist or is not shared with you.",
  no_document: "This document does not exist or is not shared with you.",
  pdf_id_missing: "The ID of the PDF is missing.",
  page_range_reversed: "The first page must not be after the last.",
  no_analysis: "This analysis does not exist.",
  too_many_analyses: "Other documents are still being summarised. Wait until one of them is done.",
  too_little_text:
    "This document has too little text for a summary. If it was scanned, its text must be recognised first.",
  no_annotation: "This highlight or note does not exist.",
  not_an_annotation: "This is not a highlight or a note on a document.",
  annotation_too_long: "This highlight or note is too long.",
  recognition_busy: "Other files are being read. Wait until one of them is done.",
  language_not_recognised: "Text can be recognised in these languages only: {{languages}}.",
} as const;
