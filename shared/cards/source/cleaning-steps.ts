import type { CleaningStep } from "./apply-cleaning.ts";
import { PARENTHESIS, replaceAside, replaceConnective, replaceFiller } from "./cleaning-replacements.ts";

/** The steps before the connectives of the opening are removed. */
export const stepsBeforeOpening: readonly CleaningStep[] = [
  {
    name: "first cell of a row",
    pattern: /^[^\t.,:;]{1,40}\t(?=\p{Lu}[^\t]+$)/u,
    replacement: "",
    example: ["EXCLUSIVE\tAn EXCLUSIVE lock is needed", "An EXCLUSIVE lock is needed"],
  },
  {
    name: "escape of Markdown",
    appliesTo: (_, isPrinted) => !isPrinted,
    pattern: /\\(?=[^\p{L}\p{N}\s])/gu,
    replacement: "",
    example: ["a set \\{1, 2\\}", "a set {1, 2}"],
  },
  // In a PDF a backslash before a sign belongs to a command, but after a letter, before a quotation mark or before a colon
  // with a space, it is left over.
  {
    name: "stray backslash",
    appliesTo: (_, isPrinted) => isPrinted,
    pattern: /(?<=\p{L})\\(?=["'’]|: )/gu,
    replacement: "",
    example: ["the boat\\'s lamp", "the boat's lamp"],
  },
  {
    name: "white space",
    pattern: /\s+/g,
    replacement: " ",
    example: ["a\n  lamp", "a lamp"],
  },
  {
    name: "spoken opening",
    pattern:
      /^(?:(?:okay|ok|alright|all right|right|well|now|so|um+|uh+|er|and|you know|I mean|let['’]s see),? )*(?:okay|ok|alright|all right|right|well|now|so|um+|uh+|er|you know|I mean|let['’]s see), (?:(?:and|so|but) )?(?=\p{L})/iu,
    replacement: "",
    example: ["Okay, so the lamp burns.", "the lamp burns."],
  },
  {
    name: "spoken filler",
    pattern: /,? (?:um+|uh+|er|you know|I mean|sort of like|if you will|if you like),(?= \p{Ll})/gu,
    replacement: "",
    example: ["The lamp, um, burns.", "The lamp burns."],
  },
  {
    name: "brackets around the whole sentence",
    pattern: /^\(([^()]{30,}[.!])\)\.?$/,
    replacement: "$1",
    example: ["(The lamp of the tower burns every night.)", "The lamp of the tower burns every night."],
  },
  {
    name: "aside",
    pattern: PARENTHESIS,
    replacement: replaceAside,
    example: ["The lamp (a large one) burns.", "The lamp burns."],
  },
  {
    name: "aside around an aside",
    pattern: PARENTHESIS,
    replacement: replaceAside,
    example: ["The lamp (a large one of) burns.", "The lamp burns."],
  },
  {
    name: "bullet from a symbol font in the middle of a line",
    pattern: /(?<=\p{Ll}\.) [b-z] \p{Lu}\p{Ll}.*$/u,
    replacement: "",
    example: ["the perfect models. r Ablative analysis – the rest", "the perfect models."],
  },
  {
    name: "comma left by an aside",
    appliesTo: (original) => original.includes("("),
    pattern: /^(\p{L}[\p{L} '’-]{2,60}), (?=(?:is|are|was|were) )/u,
    replacement: "$1 ",
    example: ["The lamp, is bright.", "The lamp is bright."],
  },
  {
    name: "heading glued to the text",
    pattern:
      /^[^.?!]{3,90}?\p{Ll}{2}(?=(?:The|A|An|In|When|If|It|This|These|Some|Many|Most|All|As|At|For|One) \p{Ll})/u,
    replacement: "",
    example: ["Early LifeThe first cells lived in water.", "The first cells lived in water."],
  },
  {
    name: "heading of one word glued to the text",
    pattern: /^\p{Lu}\p{Ll}{5,}(?=\p{Lu}\p{Ll}{3,} \p{Ll})/u,
    replacement: "",
    example: ["CardiologistHeart disease is common.", "Heart disease is common."],
  },
  {
    name: "title in capitals",
    pattern: /^(?:\p{Lu}{3,}[,’'-]? ){2,8}(?=\p{Lu}\p{Ll}*(?: \p{L}+){3})/u,
    replacement: "",
    example: ["EVALUATION RECORD The trustee prepares a report.", "The trustee prepares a report."],
  },
  {
    name: "title right before the text",
    pattern:
      /^(?!(?:In|On|At|For|With|By|From|During|After|Before|Under|Unlike|Like|As|If|When|While|To|And|But|Or) )(?:\p{Lu}[\p{Ll}’'-]{2,} (?:(?:and|of|for|in|to|the) )?){1,6}(?=(?:The|An|This|These|If|When|There) \p{Ll}{2,} \p{Ll})/u,
    replacement: "",
    example: ["Property Coverage The trustee must report.", "The trustee must report."],
  },
  {
    name: '"another …" in apposition',
    pattern: /, another [^,.;]{3,60},(?! \p{L}[^,.;]{0,40}, (?:and|or) )/u,
    replacement: "",
    example: ["The lens, another part of the lamp, bends light.", "The lens bends light."],
  },
  {
    name: "count of a group whose others are not on the card",
    pattern:
      /^(?:Another|An? (?:second|third|fourth|fifth|final|further)) (?:very )?(?:\p{Ll}+ )?(group|type|kind|form|class|family|method|way) of /u,
    replacement: "One $1 of ",
    example: ["A third very interesting group of lamps", "One group of lamps"],
  },
  {
    name: '"another …" before its name',
    pattern: /^(?:Another|One|A second|A third) [^,.;]{3,60}, ((?:\p{Ll}[\p{L}-]+ ?){1,4}), (?=\p{Ll}+s\b)/u,
    replacement: "$1 ",
    example: ["Another kind of lamp, arc light, burns carbon.", "arc light burns carbon."],
  },
  {
    name: '"it is important to note that"',
    pattern: /\bit is (?:important|interesting|helpful|useful|worth) (?:to note|noting|to remember) that /i,
    replacement: "",
    example: ["It is worth noting that the lamp burns.", "the lamp burns."],
  },
  {
    name: '"as shown above"',
    pattern: /^(?:as|like) (?:shown|seen|illustrated|depicted|described|mentioned|noted|discussed|stated)[^,]{0,60}, /i,
    replacement: "",
    example: ["As shown above, the lamp burns.", "the lamp burns."],
  },
  {
    name: "pointer to a figure between subject and verb",
    pattern:
      /, (?:as )?(?:shown|seen|illustrated|depicted|described|pictured|listed|summarized) in (?:the )?(?:figure|fig\.|table)s?[\s\d.]*, (?=(?:is|are|was|were|has|have|can|does|do|\p{Ll}+s) )/iu,
    replacement: " ",
    example: ["The lamp, illustrated in the figure, is bright.", "The lamp is bright."],
  },
  {
    name: '"itself"',
    pattern: / itself (?=(?:is|are) )/,
    replacement: " ",
    example: ["The lamp itself is bright.", "The lamp is bright."],
  },
  {
    name: "pointer to a figure",
    pattern:
      /,? (?:(?:as|and is|and are|which is|which are) )?(?:shown|seen|illustrated|depicted|described|pictured|listed|summarized) in (?:the )?(?:figure|fig\.|table)s?[\s\d.]*(?=[.,;])/gi,
    replacement: "",
    example: ["The lamp is bright, as shown in Figure 3.", "The lamp is bright."],
  },
  {
    name: "address to the reader in the middle",
    pattern: /, as (?:we|you) [^,.;]{2,40},(?= )/u,
    replacement: "",
    example: ["because, as you will see, it burns", "because it burns"],
  },
  {
    name: "address to the reader at the end",
    pattern: /, (?:where|which|as|because|so|and|but|when|since|if) (?:we|you) [^.;]*(?=[.;]|$)/,
    replacement: "",
    example: ["The lamp burns, which we need.", "The lamp burns."],
  },
  {
    name: "connective in the middle",
    pattern:
      /, (?:however|therefore|thus|in fact|of course|in turn|on the other hand|by contrast|in contrast|for example|for instance),(?= \p{Ll})/u,
    replacement: replaceConnective,
    example: ["In a storm, however, the lamp burns.", "In a storm, the lamp burns."],
  },
  {
    name: "label of an abstract",
    pattern: /^(?:abstract|summary|index terms|key ?words(?: and phrases)?)\s*[—–:.-]\s*(?=\p{Lu})/iu,
    replacement: "",
    example: ["Abstract — The lamp burns.", "The lamp burns."],
  },
  {
    name: "footnote number before a sign",
    pattern: /(\p{Ll}{4,})\d{1,2}(?=[,.;](?:\s|$))/gu,
    replacement: "$1",
    example: ["The lamp burns12.", "The lamp burns."],
  },
  {
    name: "footnote number within a line",
    pattern: /(?<=\s\p{Ll}{7,})\d{1,2}(?=\s\p{Ll})/gu,
    replacement: "",
    example: ["the lanterns3 burn", "the lanterns burn"],
  },
  {
    name: "purpose of the reader",
    pattern: /^To [^,]{0,40}\b(?:your|our)\b[^,]{0,30}, /,
    replacement: "",
    example: ["To light your tower, a lamp burns.", "a lamp burns."],
  },
  {
    name: "number or bullet of a list",
    pattern: /^(?:\d{1,2}(?:[.)]|[-–](?=\s))|\(?(?:[a-z]|[ivx]{2,4})[.)](?=\s+\p{Lu})|[•◦▪‣–*-])\s+/u,
    replacement: "",
    example: ["2. The lamp burns.", "The lamp burns."],
  },
  {
    name: "space before a sign",
    pattern: /\s+([.,;:!?])/g,
    replacement: "$1",
    example: ["The lamp , burns .", "The lamp, burns."],
  },
  {
    name: "repeated commas",
    pattern: /,(?:\s*,)+/g,
    replacement: ",",
    example: ["The lamp,, burns.", "The lamp, burns."],
  },
  {
    name: "sign before the full stop",
    pattern: /[,;:]\.$/,
    replacement: ".",
    example: ["The lamp burns,.", "The lamp burns."],
  },
  {
    name: "connective at the end",
    pattern: /,? (?:therefore|however|though|of course|for example|for instance)\.$/,
    replacement: ".",
    example: ["The lamp burns, however.", "The lamp burns."],
  },
  {
    name: "footnote number after a quotation",
    pattern: /(\p{L})(["”])\d{1,3}(?=\s|$)/gu,
    replacement: "$1$2",
    example: ["the “lamp”12 burns", "the “lamp” burns"],
  },
  // "But also" and "if … then" stay.
  {
    name: "filler that refers to something else",
    pattern:
      /(?<!\b(?:but|and|if .{0,200})) (?:also|then|therefore|thus|(?<!which )in turn|again|likewise|actually) (?=\p{Ll})(?!(?:called|known)\b)/gu,
    replacement: replaceFiller,
    example: ["The lamp also burns.", "The lamp burns."],
  },
  {
    name: "footnote number after the last word",
    pattern: /(\p{Ll}{3,}[.,])\d{1,3}(?=\s|$)/gu,
    replacement: "$1",
    example: ["The lamp burns.12", "The lamp burns."],
  },
  {
    name: "white space at the ends",
    pattern: /^\s+|\s+$/gu,
    replacement: "",
    example: [" The lamp burns. ", "The lamp burns."],
  },
  {
    name: "connective without its comma",
    pattern:
      /^(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|consequently) (?=(?:it|no|the|there|this|these|they|an?|in|if|when|all|each)\b)/i,
    replacement: "",
    example: ["However it burns.", "it burns."],
  },
];

/** The steps afterwards. */
export const stepsAfterOpening: readonly CleaningStep[] = [
  {
    name: '"there" that refers to the previous sentence',
    pattern: /^There, (?=\p{Ll})/u,
    replacement: "",
    example: ["There, a lamp burns.", "a lamp burns."],
  },
  {
    name: "condition that refers to the previous sentence",
    pattern: /^(?:When|If|Once|As|After) (?:this|that) (?:happens|occurs|is done|is so|is the case), /,
    replacement: "",
    example: ["When this happens, the lamp burns.", "the lamp burns."],
  },
  {
    name: '"the term"',
    pattern:
      /^the (?:term|word) [“"]?(\p{L}[\p{L} '’-]{2,40}?)[”"]? (?=(?:describes|denotes|means|refers to|designates)\b)/iu,
    replacement: "$1 ",
    example: ["The term avidity describes a bond.", "avidity describes a bond."],
  },
  {
    name: '"those" that the next words identify',
    pattern: /^those (?=\p{Ll}+ (?:of|that|who|which|related|in|with)\b)/iu,
    replacement: "",
    example: ["Those fields of science that grow", "fields of science that grow"],
  },
  {
    name: "what the text is about next",
    pattern:
      /,? and (?:will be|is|are) (?:the (?:focus|subject|topic)|discussed|described|covered|examined|explored)\b[^,;.]*(?=\.$)/,
    replacement: "",
    example: ["The lamp burns, and will be the focus of the next part.", "The lamp burns."],
  },
];
