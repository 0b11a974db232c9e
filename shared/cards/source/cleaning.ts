const DISCOURSE =
  /^(?:however|therefore|thus|hence|moreover|furthermore|in addition|additionally|consequently|nevertheless|nonetheless|in fact|indeed|instead|finally|similarly|likewise|in general|generally|in other words|as a result|for this reason|of course|interestingly|importantly|notably|also|again|overall|on the other hand|in contrast|by contrast|conversely|meanwhile|then|next|first|second|third|for (?:example|instance)|specifically|in particular|typically|usually|basically|essentially|clearly|obviously|today|more specifically|strictly speaking|simply put|(?:please )?note that|recall that|it is important to note that|it should be noted that|remember that|yet|but|and|so|still|now|ultimately|eventually|subsequently|in turn|at first|in short|in brief|in summary|to summarize(?: [^,]{3,60})?|rather|accordingly|alternatively|besides),?\s+(?=\S)/i;

const BARE_DISCOURSE =
  /^(?:first|second|third|then|next|again|generally|typically|usually|today|now|still|rather|so|indeed|also|overall|instead)\s+[^,]/i;

/** Short brackets are an aside, but not those of "Var(X)" and "$O(n)$", nor a set after its name. */
const PARENTHESIS =
  /(?<![\p{L}\p{N}_$\\])\s*\([^()]{0,160}\)|\s+\([^()]{0,160}\)|\s*\[[^[\]]{0,80}\]|(?<=\p{Ll}{3}) \{[^{}]{1,40}\}/gu;

/** A heading glued to the text below it: "Early LifeThe first cells". */
const GLUED_TITLE =
  /^[^.?!]{3,90}?\p{Ll}{2}(?=(?:The|A|An|In|When|If|It|This|These|Some|Many|Most|All|As|At|For|One) \p{Ll})/u;

/** "CardiologistHeart disease is": a glued heading of one word. */
const GLUED_WORD = /^\p{Lu}\p{Ll}{5,}(?=\p{Lu}\p{Ll}{3,} \p{Ll})/u;

/** "EVALUATION RECORD The trustee prepares": a title in capitals before the text. */
const CAPITAL_TITLE = /^(?:\p{Lu}{3,}[,’'-]? ){2,8}(?=\p{Lu}\p{Ll}*(?: \p{L}+){3})/u;

/** "… the perfect models. r Ablative analysis – …": a bullet from a symbol font in the middle of a line. */
const MID_BULLET = /(?<=\p{Ll}\.) [b-z] \p{Lu}\p{Ll}.*$/u;

/** "Property Coverage The trustee must": a title right before the text. */
const TITLE_WORDS =
  /^(?!(?:In|On|At|For|With|By|From|During|After|Before|Under|Unlike|Like|As|If|When|While|To|And|But|Or) )(?:\p{Lu}[\p{Ll}’'-]{2,} (?:(?:and|of|for|in|to|the) )?){1,6}(?=(?:The|An|This|These|If|When|There) \p{Ll}{2,} \p{Ll})/u;

const TRAILING_POINTER =
  /,? (?:(?:as|and is|and are|which is|which are) )?(?:shown|seen|illustrated|depicted|described|pictured|listed|summarized) in (?:the )?(?:figure|fig\.|table)s?[\s\d.]*(?=[.,;])/gi;
/** "T, illustrated in the figure, is": removed with both commas. */
const INSERTED_POINTER =
  /, (?:as )?(?:shown|seen|illustrated|depicted|described|pictured|listed|summarized) in (?:the )?(?:figure|fig\.|table)s?[\s\d.]*, (?=(?:is|are|was|were|has|have|can|does|do|\p{Ll}+s) )/iu;
/** "because, as you will see, it": the aside is removed. */
const INSERTED_ADDRESS = /, as (?:we|you) [^,.;]{2,40},(?= )/u;
const TRAILING_ADDRESS = /, (?:where|which|as|because|so|and|but|when|since|if) (?:we|you) [^.;]*(?=[.;]|$)/;

/**
 * "proposed in [3]": without its reference this isn't a sentence, so the reference stays and the sentence is rejected.
 */
const NEEDS_REFERENCE = /\b(?:in|by|from|of|to|with|see|and|e\.g\.,?)$/i;

const dropAsides = (text: string) =>
  text.replace(PARENTHESIS, (parenthesis, at: number) => {
    const isNeededReference =
      /^\s*\[\s*\d/.test(parenthesis) && NEEDS_REFERENCE.test(text.slice(Math.max(0, at - 12), at));
    if (isNeededReference) return parenthesis;
    const condition = CONDITION.exec(parenthesis)?.[1];
    return condition === undefined
      ? ""
      : `, ${condition}${text.slice(at + parenthesis.length).startsWith(",") ? "" : ","}`;
  });
/** "When a boat leaves (and it is not Sunday), it": a condition in brackets must stay. */
const CONDITION = /^\s*\(((?:and|but|if|unless|except|provided) [^()]{6,60})\)$/;

/** "X also does": refers to something that isn't on the card. "But also" and "if … then" are kept. */
const FILLER =
  /(?<!\b(?:but|and|if .{0,200})) (?:also|then|therefore|thus|(?<!which )in turn|again|likewise|actually) (?=\p{Ll})(?!(?:called|known)\b)/gu;

/** "It closes the file then opens another": "then" joins two verbs. */
const joinsVerbs = (filler: string, before: string) =>
  filler === " then " &&
  before.split(" ").length > 5 &&
  !/ (?:is|are|was|were|be|been|can|will|must|may|has|have)$/.test(before);

/** "EXCLUSIVE⇥An EXCLUSIVE lock is": the first cell of a row, followed by a sentence. */
const CELL = /^[^\t.,:;]{1,40}\t(?=\p{Lu}[^\t]+$)/u;

/** After such an opening the comma stays if "however" is removed. */
const LEADS =
  /^(?:when|if|after|before|once|during|in|on|at|within|unlike|because|although|while|as|for|by|with|without|under|to)\b/i;

/** "The term avidity describes" becomes "Avidity describes". */
const THE_TERM =
  /^the (?:term|word) [“"]?(\p{L}[\p{L} '’-]{2,40}?)[”"]? (?=(?:describes|denotes|means|refers to|designates)\b)/iu;
/** "When this happens, the enzyme": refers to the previous sentence. */
const WHEN_THIS = /^(?:When|If|Once|As|After) (?:this|that) (?:happens|occurs|is done|is so|is the case), /;
/** "There, pyruvate will be": refers to the previous sentence. */
const EXISTENTIAL_THERE = /^There, (?=\p{Ll})/u;

const FRONT_LABEL = /^(?:abstract|summary|index terms|key ?words(?: and phrases)?)\s*[—–:.-]\s*(?=\p{Lu})/iu;

/** "Okay, so", "um," and "you know,": filler words of speech. */
const SPOKEN_OPENING =
  /^(?:(?:okay|ok|alright|all right|right|well|now|so|um+|uh+|er|and|you know|I mean|let['’]s see),? )*(?:okay|ok|alright|all right|right|well|now|so|um+|uh+|er|you know|I mean|let['’]s see), (?:(?:and|so|but) )?(?=\p{L})/iu;
const SPOKEN = /,? (?:um+|uh+|er|you know|I mean|sort of like|if you will|if you like),(?= \p{Ll})/gu;

const dropSpokenFillers = (text: string) => text.replace(SPOKEN_OPENING, "").replace(SPOKEN, "");

/** "However it does mean": without its comma. */
const BARE_CONNECTIVE =
  /^(?:however|therefore|thus|hence|moreover|furthermore|nevertheless|consequently) (?=(?:it|no|the|there|this|these|they|an?|in|if|when|all|each)\b)/i;

function dropOpening(text: string): string {
  let remaining = text.replace(BARE_CONNECTIVE, "");
  for (let i = 0; i < 3; i++) {
    const match = BARE_DISCOURSE.test(remaining) ? null : DISCOURSE.exec(remaining);
    const needsComma = match && !match[0].includes(",") && !/^(?:please|note|recall|remember|it) /i.test(match[0]);
    if (!match || (needsComma && !/^(?:but|and|yet|so) /i.test(match[0]))) break;
    remaining = remaining.slice(match[0].length);
  }
  return remaining;
}

/** "Those fields of science that": identified by the words after it. */
const THOSE_OF = /^those (?=\p{Ll}+ (?:of|that|who|which|related|in|with)\b)/iu;
/** "…, and will be the focus of the following discussion": about the text itself. */
const FORECAST =
  /,? and (?:will be|is|are) (?:the (?:focus|subject|topic)|discussed|described|covered|examined|explored)\b[^,;.]*(?=\.$)/;

/** "A third very interesting group of": the others aren't on the card. */
const A_FURTHER =
  /^(?:Another|An? (?:second|third|fourth|fifth|final|further)) (?:very )?(?:\p{Ll}+ )?(group|type|kind|form|class|family|method|way) of /u;

/** An escape of Markdown. */
const ESCAPE = /\\(?=[^\p{L}\p{N}\s])/gu;
/**
 * In a PDF a backslash before a sign belongs to a command, but after a letter, before a quotation mark or before a colon
 * with a space, it is left over.
 */
const LEFT_OVER = /(?<=\p{L})\\(?=["'’]|: )/gu;

/** A sentence without asides, escapes and opening connectives, for the card. The quote stays unchanged. */
export function cleanSentence(raw: string, isPrinted = false): string {
  const withoutCell = raw.replace(CELL, "");
  const unescaped = withoutCell.replace(isPrinted ? LEFT_OVER : ESCAPE, "");
  let text = dropSpokenFillers(unescaped.replace(/\s+/g, " "));
  // A sentence that is in brackets as a whole isn't an aside.
  text = text.replace(/^\(([^()]{30,}[.!])\)\.?$/, "$1");
  text = dropAsides(dropAsides(text)).replace(MID_BULLET, "");
  if (raw.includes("(")) text = text.replace(/^(\p{L}[\p{L} '’-]{2,60}), (?=(?:is|are|was|were) )/u, "$1 ");
  text = text.replace(GLUED_TITLE, "").replace(GLUED_WORD, "").replace(CAPITAL_TITLE, "").replace(TITLE_WORDS, "");
  text = text
    .replace(/, another [^,.;]{3,60},(?! \p{L}[^,.;]{0,40}, (?:and|or) )/u, "")
    .replace(A_FURTHER, "One $1 of ");
  text = text.replace(
    /^(?:Another|One|A second|A third) [^,.;]{3,60}, ((?:\p{Ll}[\p{L}-]+ ?){1,4}), (?=\p{Ll}+s\b)/u,
    "$1 ",
  );
  text = text.replace(
    /\bit is (?:important|interesting|helpful|useful|worth) (?:to note|noting|to remember) that /i,
    "",
  );
  text = text.replace(
    /^(?:as|like) (?:shown|seen|illustrated|depicted|described|mentioned|noted|discussed|stated)[^,]{0,60}, /i,
    "",
  );
  text = text.replace(INSERTED_POINTER, " ").replace(/ itself (?=(?:is|are) )/, " ");
  text = text.replace(TRAILING_POINTER, "").replace(INSERTED_ADDRESS, "").replace(TRAILING_ADDRESS, "");
  text = text.replace(
    /, (?:however|therefore|thus|in fact|of course|in turn|on the other hand|by contrast|in contrast|for example|for instance),(?= \p{Ll})/u,
    (_, at: number) => (LEADS.test(text) && !text.slice(0, at).includes(",") ? "," : ""),
  );
  text = text.replace(FRONT_LABEL, "").replace(/(\p{Ll}{4,})\d{1,2}(?=[,.;](?:\s|$))/gu, "$1");
  text = text.replace(/(?<=\s\p{Ll}{7,})\d{1,2}(?=\s\p{Ll})/gu, "");
  text = text.replace(/^To [^,]{0,40}\b(?:your|our)\b[^,]{0,30}, /, "");
  text = text.replace(/^(?:\d{1,2}(?:[.)]|[-–](?=\s))|\(?(?:[a-z]|[ivx]{2,4})[.)](?=\s+\p{Lu})|[•◦▪‣–*-])\s+/u, "");
  text = text
    .replace(/\s+([.,;:!?])/g, "$1")
    .replace(/,(?:\s*,)+/g, ",")
    .replace(/[,;:]\.$/, ".")
    .replace(/,? (?:therefore|however|though|of course|for example|for instance)\.$/, ".")
    .replace(/(\p{L})(["”])\d{1,3}(?=\s|$)/gu, "$1$2");
  text = text.replace(FILLER, (filler, at: number) => (joinsVerbs(filler, text.slice(0, at)) ? filler : " "));
  // A footnote number attached to the last word.
  text = text.replace(/(\p{Ll}{3,}[.,])\d{1,3}(?=\s|$)/gu, "$1").trim();
  text = dropOpening(text).replace(EXISTENTIAL_THERE, "").replace(WHEN_THIS, "");
  const cleaned = text.replace(THE_TERM, "$1 ").replace(THOSE_OF, "").replace(FORECAST, "");
  return /^\p{Ll}+(?:\s|,)/u.test(cleaned) && /^\p{Lu}|^(?:as|like) /u.test(raw)
    ? cleaned.charAt(0).toUpperCase() + cleaned.slice(1)
    : cleaned;
}

export function isExample(raw: string): boolean {
  return /^(?:for (?:example|instance)|suppose|imagine|consider)\b/i.test(raw);
}
