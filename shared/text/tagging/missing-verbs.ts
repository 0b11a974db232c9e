import { isNominal, posAt, type Token, wordAt } from "../tokens.ts";
import { isFinite, RELATIVES } from "../verbs.ts";

/** Words that can be noun or verb; the tagger often takes them for nouns. */
export const NOUN_OR_VERB = new Set(
  (
    "use need form cause act bind help play function range result transfer store signal state cover change increase " +
    "decrease control support produce release transport contact attack target attach cross cut divide end start enter " +
    "face fall feed fight fit force form grow guide harm hold influence lack lead limit link live lower mark match " +
    "measure move name number offer order pass permit place process project protect prove pump rank reach repeat " +
    "require resist respond rest return reveal rise run seek separate serve shape share shift show slow spread stand " +
    "stop study supply surround switch test trade travel trap treat turn vary view work yield contain involve include " +
    "describe remain allow provide become create occur exist consist depend convert differ encode display exhibit " +
    "affect ensure enable prevent reduce maintain determine represent stimulate block break bring build carry catch " +
    "collect combine connect extract develop digest drive exchange focus govern guard host rely remove report select send " +
    "split store stress suit take tend transform trigger undergo mean aid power fuse mediate fuel harbor house coat line mark outline regulate initiate absorb recognize exhibit make give get keep let set put state claim argue " +
    "point deal speed escape fold loop benefit account alternate figure pick burst last couple orient present migrate"
  ).split(" "),
);

/** These words start a subordinate clause, whose verb isn't the missing one. */
const OPENS_CLAUSE = /^(?:when|if|because|although|while|as|since|once|after|before|whereas|unless|until)$/;

const OPENS_OBJECT = /^(?:DET|NUM|PRON)$/;
const SCENE = /^(?:in|during|at|within|on|among|under|for|inside|throughout|across|like|unlike|with|without|after|by)$/;

/** Where the subject starts, after "During meiosis II,". */
function subjectStart(tokens: readonly Token[]): number {
  if (!SCENE.test(wordAt(tokens, 0))) return 0;
  const comma = tokens.slice(0, 14).findIndex((t) => t.text === ",");
  return comma === -1 ? tokens.length : comma + 1;
}

/** "a beam of electrons": the verb agrees with "beam". */
function subjectHead(tokens: readonly Token[], from: number, at: number): Token | undefined {
  const preposition = tokens.findIndex((t, i) => i > from && i < at && t.pos === "ADP");
  return tokens[(preposition === -1 ? at : preposition) - 1];
}

const PLURAL = /[^sui]s$|(?:i|ae|people|men|children|species|teeth|feet|mice)$/;

/** Whether a verb form agrees with the subject: "moves" with a singular, "form" with a plural. */
function agreesWithSubject(tokens: readonly Token[], from: number, at: number): boolean {
  const token = tokens[at];
  const head = subjectHead(tokens, from, at);
  if (!token || !head || !isNominal(head)) return false;
  const isSingular = /^(?:a|an|each|every)$/.test(wordAt(tokens, from));
  const isPlural = PLURAL.test(head.lower) || tokens.slice(from, at).some((t) => t.lower === "and");
  return isPlural && !isSingular
    ? token.lower === token.lemma && !PLURAL.test(token.lower)
    : /[^sui]s$/.test(token.lower);
}

/** Whether an object follows, or a place if the word is known to be a verb too. */
function hasObjectOrPlace(tokens: readonly Token[], at: number, isKnown: boolean): boolean {
  const next = wordAt(tokens, at + 1);
  if (RELATIVES.has(next) || next === "of") return false;
  if (OPENS_OBJECT.test(posAt(tokens, at + 1))) return true;
  return isKnown && /^(?:ADP|ADV|ADJ|NOUN|PROPN)$/.test(posAt(tokens, at + 1));
}

function couldBeVerb(tokens: readonly Token[], from: number, at: number): boolean {
  const token = tokens[at];
  if (!token || at <= from || token.text !== token.lower || !isNominal(tokens[at - 1])) return false;
  const isKnown = NOUN_OR_VERB.has(token.lemma) || NOUN_OR_VERB.has(token.lower);
  const isFit = isNominal(token) || (token.pos === "ADJ" && isKnown);
  return isFit && agreesWithSubject(tokens, from, at) && hasObjectOrPlace(tokens, at, isKnown);
}

/**
 * Finds the verb of a main clause without one: the one word that agrees with the subject and is followed by an object
 * or a place.
 */
export function findMissedVerb(tokens: readonly Token[]): Token | undefined {
  const from = subjectStart(tokens);
  if (OPENS_CLAUSE.test(wordAt(tokens, 0))) return undefined;
  const stop = tokens.findIndex((t, i) => i > from && (RELATIVES.has(t.lower) || /^[,;:—–]$/.test(t.text)));
  const to = stop === -1 ? tokens.length : stop;
  if (tokens.slice(from, to).some((_, i) => isFinite(tokens, from + i))) return undefined;
  return tokens.find((_, i) => i < to && couldBeVerb(tokens, from, i));
}
