import { asAnswer, type Candidate, wordCount } from "./candidates.ts";
import { textOf } from "#shared/text/clauses.ts";
import { isNamed } from "../source/lexicon.ts";
import { answerText, buildQuestion, type Reading } from "./clause-readings.ts";
import { isPerson } from "./subjects.ts";
import { isGeneralWord } from "../source/terms.ts";
import { isNominal, posAt, type Token, wordAt } from "#shared/text/tokens.ts";
import { singular } from "#shared/text/words.ts";

const LOCATION = /^(?:in|on|at|within|inside|near|between|along|throughout|outside|beneath|under|across|around)$/;
const LOCATION_PARTICIPLE =
  /^(?:located|found|situated|produced|stored|housed|embedded|contained|synthesized|made|concentrated|placed|positioned|packaged|assembled|released|formed|held|built|kept|grown)$/;
/** "in response to", "on demand": not a location. */
const NOT_A_LOCATION =
  /^(?:response|addition|order|contrast|pairs?|groups?|stages?|steps?|time|times|turn|general|part|parts|parallel|demand|average|case|cases|various|different|many|several|two|three|four|waves|sequence|cycles|accordance|conjunction|combination)$/;
const OBJECT_PREPOSITIONS = /^(?:of|from|with|into|as|for|to|on|about|against|upon|in)$/;
const USE_PARTICIPLE = /^(?:used|needed|required)$/;

/** The word after "is": a participle or an adjective. */
function predicateOf({ clause, rest }: Reading): { participle: string; adjective: string } {
  const last = clause.verbs.at(-1);
  const isPassive = clause.verbs.length > 1 && last?.pos === "VERB" && !last.lower.endsWith("ing");
  if (isPassive) return { participle: last.lower, adjective: "" };
  const isAdjective = posAt(rest, 0) === "ADJ" && !/^(?:about|just)$/.test(wordAt(rest, 0));
  return { participle: "", adjective: isAdjective ? (rest[0]?.text ?? "") : "" };
}

/** "is rich in", "is involved in": after most other words, "in" starts a place or time. */
const TAKES_IN = /^(?:rich|poor|common|abundant|involved|used|engaged|interested|expressed|written|measured)$/i;
function canEndQuestion(tail: readonly Token[], word: string): boolean {
  const preposition = wordAt(tail, 0);
  if (preposition === "in" && !TAKES_IN.test(word)) return false;
  return (
    posAt(tail, 0) === "ADP" &&
    OBJECT_PREPOSITIONS.test(preposition) &&
    wordAt(tail, 1) !== "which" &&
    posAt(tail, 1) !== "ADP"
  );
}

/** "from A to B": both belong together. */
const isPair = (tail: readonly Token[]) => wordAt(tail, 0) === "from" && tail.some((t) => t.lower === "to");

/** Questions for duties and purposes. */
function askPurpose(reading: Reading, words: string[], tail: Token[], participle: string): Candidate | undefined {
  const isDuty = participle === "required" && isPerson(reading.clause.subject);
  return isDuty
    ? buildQuestion(reading, ["what", ...words, "to do"], answerText(reading, tail.slice(1)))
    : buildQuestion(reading, ["what", ...words, "for"], answerText(reading, tail));
}

/** Questions for the material, location or purpose in a sentence with "is". */
export function askPassive(reading: Reading): Candidate | undefined {
  const { subject, rest, inverted } = reading;
  const { participle, adjective } = predicateOf(reading);
  if (!participle && !adjective) return undefined;
  const tail = adjective ? rest.slice(1) : rest;
  const preposition = wordAt(tail, 0);
  const words = [inverted.auxiliary, subject, `${inverted.verb} ${adjective}`.trim()];
  if (preposition === "to" && USE_PARTICIPLE.test(participle)) return askPurpose(reading, words, tail, participle);
  if (LOCATION_PARTICIPLE.test(participle) && LOCATION.test(preposition))
    return buildQuestion(reading, ["where", ...words], answerText(reading, tail));
  if (!canEndQuestion(tail, adjective || participle) || isPair(tail)) return undefined;
  return buildQuestion(reading, ["what", ...words, preposition], answerText(reading, tail.slice(1)));
}

const EVENT_VERB =
  /^(?:occur|happen|live|begin|reside|exist|grow|dwell|lie|start|end|appear|arise|originate|form|develop|accumulate|gather|assemble|collect|settle|circulate|mature)$/;
const VERB_WITHOUT_OBJECT =
  /^(?:be|become|seem|appear|remain|look|feel|let|tend|begin|continue|start|help|cause|try|manage|fail|serve|stand|run|go|come|play|take)$/;
const REPORTING_VERB =
  /^(?:state|show|suggest|propose|hold|say|demonstrate|predict|indicate|mean|illustrate|explain|describe|reveal|determine)$/;
const DEFINING_VERB = /^(?:describe|mean|denote|refer|comprise|involve)$/;

/** Verbs with a fixed preposition, which may end a question. */
const VERBS_BY_PREPOSITION: Readonly<Record<string, string>> = {
  on: "depend rely act feed focus operate",
  from: "result arise come derive originate develop suffer benefit form",
  to: "lead bind refer contribute belong attach respond correspond adhere connect extend relate adapt react",
  of: "consist",
  as: "act serve function work",
  into: "develop divide differentiate break grow turn enter",
  with: "interact react associate combine begin deal",
  for: "account code allow stand search",
  in: "result participate consist",
};
const hasFixedPreposition = (base: string, preposition: string) =>
  (VERBS_BY_PREPOSITION[preposition] ?? "").split(" ").includes(base);

const ENABLING_VERB = /^(?:allow|enable|cause|permit|stimulate|force|require|signal|instruct|lead|prompt|induce)$/;

/** "lets cells grow", "allows ions to pass": asks what they do. */
function askEnabled(reading: Reading, base: string): Candidate | undefined {
  const { fact, subject, rest, inverted, lexicon } = reading;
  const toIndex = rest.findIndex((t, i) => i > 0 && t.lower === "to" && posAt(rest, i + 1) === "VERB");
  const actor = rest.slice(0, Math.max(0, toIndex));
  if (!ENABLING_VERB.test(base) || toIndex < 1 || toIndex > 6 || !isNamed(actor, lexicon)) return undefined;
  const answer = asAnswer(textOf(rest.slice(toIndex + 1), fact.text));
  const count = wordCount(answer);
  const words = ["what", inverted.auxiliary, subject, inverted.verb, textOf(actor, fact.text), "to do"];
  return count < 2 || count > 20 ? undefined : buildQuestion(reading, words, answer);
}

const WEAK_VERB =
  /^(?:have|do|make|take|get|give|show|provide|allow|undergo|perform|play|possess|exhibit|represent|include|use|involve|see|need|become|cover|want|contain|require|produce|form|help|affect|carry|display|support|call|offer|handle|manage|maintain|ensure|keep|know|bring|consider|review|complete|request|receive|follow|assist|notify|prepare)$/;
const INDEFINITE_QUANTIFIER = /^(?:some|many|several|few|certain|various|other|most)$/;

/** "What do cells have?" has too many answers. */
function isVague({ clause, lexicon, subject, lead }: Reading, base: string): boolean {
  if (INDEFINITE_QUANTIFIER.test(wordAt(clause.subject, 0))) return true;
  const isOwning = /^(?:have|exhibit|show|possess|display|see|get)$/.test(base);
  if (!WEAK_VERB.test(base) || (lead !== "" && !isOwning)) return false;
  const contentTokens = clause.subject.filter(
    (t) => (isNominal(t) || t.pos === "ADJ") && !isGeneralWord(singular(t.lower)),
  );
  const isTerm = lexicon.terms.findIn(subject).some((t) => t.isMarked);
  if (isOwning) return contentTokens.length < 4;
  return contentTokens.length < 2 && !(isTerm && /^(?:contain|produce|require|affect)$/.test(base));
}

/** Questions with verbs that have a fixed preposition. */
function askPrepositional(reading: Reading, base: string): Candidate | undefined {
  const { subject, inverted, rest } = reading;
  const preposition = wordAt(rest, 0);
  const words = [inverted.auxiliary, subject, inverted.verb];
  if (LOCATION.test(preposition) && EVENT_VERB.test(base))
    return NOT_A_LOCATION.test(wordAt(rest, 1))
      ? undefined
      : buildQuestion(reading, ["where", ...words], answerText(reading, rest));
  if (!hasFixedPreposition(base, preposition) || isPair(rest)) return undefined;
  return buildQuestion(reading, ["what", ...words, preposition], answerText(reading, rest.slice(1)));
}

/** "takes place in": asks where. */
function askLocation(reading: Reading): Candidate | undefined {
  const location = reading.rest.slice(1);
  const words = ["where", reading.inverted.auxiliary, reading.subject, "take place"];
  return LOCATION.test(wordAt(location, 0)) ? buildQuestion(reading, words, answerText(reading, location)) : undefined;
}

const OBJECT_START_POS = /^(?:DET|ADJ|NOUN|PROPN|NUM|ADV)$/;
const DEGREE_WORD = /^(?:more|less|almost|nearly|about|approximately|very|highly)$/;

/** "study living things": the tagger takes "living" for a verb. */
const isLivingThing = (rest: readonly Token[]) =>
  rest.length === 2 && posAt(rest, 0) === "VERB" && wordAt(rest, 0).endsWith("ing");

function hasObject(rest: readonly Token[]): boolean {
  const [first] = rest;
  if (!first || !(OBJECT_START_POS.test(first.pos) || isLivingThing(rest))) return false;
  // "gives rise to", "takes part in": fixed phrases without an object to ask for.
  if (/^(?:rise|part|place|advantage|account|better|worse|best|well)$/.test(first.lower)) return false;
  if (first.pos === "ADV" && !DEGREE_WORD.test(first.lower)) return false;
  // "survive mild winters better": no comparative adverb may follow the object.
  return rest.some((t) => isNominal(t)) && !/^(?:better|best|worse|well)$/.test(rest.at(-1)?.lower ?? "");
}

/** Asks for the object of "S V O". */
export function askObject(reading: Reading): Candidate | undefined {
  const { rest, inverted } = reading;
  const base = inverted.verb.split(" ").at(-1) ?? "";
  if (base === "take" && wordAt(rest, 0) === "place") return askLocation(reading);
  const enabled = askEnabled(reading, base);
  const isPrepositional = posAt(rest, 0) === "ADP";
  if (enabled || isVague(reading, base) || (VERB_WITHOUT_OBJECT.test(base) && !isPrepositional)) return enabled;
  const candidate = isPrepositional ? askPrepositional(reading, base) : askPlainObject(reading, base);
  return candidate && definesTerm(reading, base) ? { ...candidate, style: "definition" } : candidate;
}

function askPlainObject(reading: Reading, base: string): Candidate | undefined {
  const { subject, rest, inverted } = reading;
  const statement = /^(?:that|how|why)$/.test(wordAt(rest, 0)) && rest.length > 4 && REPORTING_VERB.test(base);
  if (!statement && !hasObject(rest)) return undefined;
  return buildQuestion(reading, ["what", inverted.auxiliary, subject, inverted.verb], answerText(reading, rest));
}

/** "Osmosis describes …" is a definition of osmosis. */
const definesTerm = ({ lexicon, subject }: Reading, base: string) =>
  DEFINING_VERB.test(base) && lexicon.terms.get(subject)?.isMarked === true;
