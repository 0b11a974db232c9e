export const OTHER_STYLES = ["definition", "goal", "name", "blank"] as const;

/** Signs of a card's quality that can be read without knowing the language well. */
export const OTHER_SIGNS = [
  /** Its sentence begins a passage. */
  "opens_passage",
  /** The source uses the phrase nowhere before. */
  "first_mention",
  "subject_definite",
  "answer_definite",
  /** The answer says which one: "the line on which …". */
  "answer_relative",
  /** The text in brackets was left out of the question. */
  "brackets_left_out",
  /** The sentence addresses its reader, or mentions "our" example. */
  "speaks_to_reader",
] as const;

export type OtherStyle = (typeof OTHER_STYLES)[number];
export type OtherSign = (typeof OTHER_SIGNS)[number];

/** The patterns by which the engine finds "T is a …" and similar sentences in a language. */
export interface LanguagePatterns {
  /** Words that only this language uses often. */
  common: RegExp;
  article: string;
  /** The verb between a term and its definition. */
  copula: string;
  /** The beginning of a definition. */
  opening: RegExp;
  /** The beginning of a sentence that depends on the previous one, or addresses the reader. */
  dependentOpening: RegExp;
  /** Words anywhere in a sentence that refer to other text. */
  pointing: RegExp;
  /** Words that address the reader or mention the author. */
  personal: RegExp;
  /** A second statement, after a comma or with a verb of its own, which is not part of the definition. */
  secondStatement: RegExp;
  /** The beginning of a clause whose subject does not precede its verb. */
  notSubject: RegExp;
  ask: (term: string, isPlural: boolean) => string;
  /** "The goal of T is to …": the goal, and then its content. */
  goal: RegExp;
  askGoal: (goal: string) => string;
  /** The words right before a name that a sentence introduces. */
  naming: RegExp;
}

const startsWithVowel = (text: string) => /^[aeiouy]/iu.test(text.normalize("NFD"));

const LANGUAGES: readonly LanguagePatterns[] = [
  {
    common: /(?<!\p{L})(?:der|die|das|und|ist|nicht|mit|wird|eine?[rsnm]?|von|für|auf|sind)(?!\p{L})/giu,
    article: "der|die|das|ein|eine",
    copula: "ist|sind|bezeichnet",
    opening: /^(?:eine?[rsnm]?|der|die|das|den|jede[rsn]?) /i,
    dependentOpening:
      /^(?:dies|diese[rsnm]?|es|er|sie|das (?:ist|sind|heißt|kann|wird)|hier|so|dabei|damit|dazu|man|wir|jede[rs]?|ein (?:weitere|andere|solche)\p{L}*|eine[rs]? (?:der|davon|von))(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:dies(?:e[rsnm]?)?|jene[rsnm]?|solche[rsnm]?|folgende[rsnm]?|obige[rsnm]?|oben|unten|hingegen)(?!\p{L})/iu,
    personal: /(?<!\p{L})(?:Sie|Ihr\p{L}*|uns|unser\p{L}*|ich|mein(?:e[rsm]?)?)(?!\p{L})/u,
    secondStatement:
      /[,;] (?:und|aber|doch|jedoch|von daher|daher|also|weshalb|sodass|so dass|mit anderen Worten|kein\p{L}*|nicht)(?!\p{L}).*$| und (?:ist|sind|wird|werden|kann|können|dient|dienen|nicht)(?!\p{L}).*$/iu,
    notSubject:
      /^(?:wenn|da|dann|weil|ob|falls|obwohl|während|nachdem|in|im|bei|beim|für|mit|von|auf|nach|wo|als|um|zu[mr]?|durch|an|am|auch|nur|aus|seit|vo[mr]|gegen|ohne|unter|über|hinter|zwischen|neben|laut|trotz|je|meist|schließlich|außerdem|zunächst|jede[rs]?|einige|viele|beide|alle|sein\p{L}*|ihr\p{L}*)(?!\p{L})/iu,
    goal: /^((?:das|die|der) (?:Ziel|Aufgabe|Zweck) (?:der|des|von|einer|eines) [^,.]{3,60}?) (?:ist|besteht darin,?) (.+)$/iu,
    askGoal: (goal) => `Was ist ${goal}?`,
    naming: /(?:heißt|heißen|nennt man|bezeichnet man als|wird als) (?:einfach |auch |kurz |daher )?$/iu,
    ask: (term, isPlural) => `Was ${isPlural ? "sind" : "ist"} ${term}?`,
  },
  {
    common:
      /(?<!\p{L})(?:le|la|les|une?|des|est|par|avec|que|sur|ne|pas|dans|pour|qui|sont|du|au|et|cette)(?!\p{L})/giu,
    article: "le|la|les|l[’']|une?|des",
    copula: "est|sont|désigne",
    opening: /^(?:(?:une?|des|les?|la|toute?|tous) |l[’'])/i,
    dependentOpening:
      /^(?:ce|cet|cette|ces|c[’']|il|ils|elles?|on|nous|ici|cela|ainsi|en|l[’']une? des|(?:de )?tel(?:le)?s)(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:ce(?! q)|cet|cette|ces|celui-ci|celle-ci|suivante?s?|précédente?s?|ci-dessus|ci-dessous|ici)(?!\p{L})/iu,
    personal: /(?<!\p{L})(?:vous|vos|votre|nos|notre|je|mon|mes)(?!\p{L})/iu,
    secondStatement:
      /[,;] (?:et|mais|donc|par conséquent|c[’']est pourquoi|ce qui|or|pas|non)(?!\p{L}).*$| et (?:c[’']est|ce sont|ils?|elles?|est|sont)(?!\p{L}).*$/iu,
    notSubject:
      /^(?:où|si|quand|lorsque?|dans|pour|avec|par|sur|sous|comme|car|puis|donc|mais|chez|à|aux?|de|du|dès|selon|entre|sans|chaque|celui|celle|ceux|plusieurs|son|sa|ses|leurs?|la plupart|plus)(?!\p{L})/iu,
    goal: /^((?:le but|l[’']objectif|le rôle|la fonction) (?:de |du |des |d[’'])[^,.]{3,60}?) est (?:de |d[’'])(.+)$/iu,
    askGoal: (goal) => `Quel est ${goal} ?`,
    naming:
      /(?:est|sont) (?:appelée?s?|dite?s?|nommée?s?) (?:une? |le |la |les |l[’'])?$|s[’']appellent? (?:une? |le |la |les |l[’'])?$/iu,
    ask: (term, isPlural) =>
      `${isPlural ? "Que sont " : startsWithVowel(term) ? "Qu’est-ce qu’" : "Qu’est-ce que "}${term} ?`,
  },
  {
    common: /(?<!\p{L})(?:el|la|los|las|una?|es|en|al|y|lo|para|por|con|que|del|son|como|se)(?!\p{L})/giu,
    article: "el|la|los|las|una?",
    copula: "es|son",
    opening: /^(?:una?|unos|unas|el|la|los|las|cualquier|todo) /i,
    dependentOpening:
      /^(?:este|esta|estos|estas|eso|esto|es|ello|él|ella|ellos|aquí|se|sea|así|un[oa] de l[oa]s|tal(?:es)?)(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:est[eao]s?|es[ea]s?|aquell?[oa]s?|siguientes?|anteriore?s?|arriba|abajo|aquí|amb[oa]s)(?!\p{L})/iu,
    personal: /(?<!\p{L})(?:usted(?:es)?|nuestr[oa]s?|pulse|haga|mi|mis)(?!\p{L})/iu,
    secondStatement:
      /[,;] (?:y|pero|por lo que|por lo tanto|así que|es decir|aunque|de modo que|no)(?!\p{L}).*$| y (?:es|son|est[aá]n?)(?!\p{L}).*$/iu,
    notSubject:
      /^(?:donde|si|cuando|en|para|con|por|como|aunque|porque|pero|sin|de|del|al?|también|entre|según|desde|hasta|sobre|tras|cada|sus?|ambos|algun[oa]s|cuanto|la mayoría|más|ser|éste|ésta|éstos|éstas)(?!\p{L})/iu,
    goal: /^((?:el objetivo|la función|el propósito|la finalidad) (?:de |del )[^,.]{3,60}?) es (.+)$/iu,
    askGoal: (goal) => `¿Cuál es ${goal}?`,
    naming: /(?:se (?:denominan?|llaman?|conocen? como)|es llamad[oa]|son llamad[oa]s) (?:el |la |los |las |una? )?$/iu,
    ask: (term, isPlural) => `¿Qué ${isPlural ? "son" : "es"} ${term}?`,
  },
  {
    common: /(?<!\p{L})(?:o|os|as|uma?|não|na|no|para|por|com|que|do|da|dos|são|é|em|ao)(?!\p{L})/giu,
    article: "o|a|os|as|uma?",
    copula: "é|são",
    opening: /^(?:uma?|uns|umas|o|a|os|as|qualquer|todo) /i,
    dependentOpening:
      /^(?:este|esta|estes|estas|isso|isto|é|ele|ela|eles|aqui|seja|assim|esse|essa|uma? d[oa]s|ta(?:l|is))(?!\p{L})/iu,
    pointing:
      /(?<!\p{L})(?:(?:d|n)?est[eao]s?|(?:d|n)?ess[ea]s?|(?:d|n)?isso|isto|seguintes?|seguem|anterior(?:es)?|acima|abaixo|aqui|amb[oa]s)(?!\p{L})/iu,
    personal: /(?<!\p{L})(?:você|vocês|noss[oa]s?|clique|meu|minha)(?!\p{L})/iu,
    secondStatement:
      /[,;] (?:e|mas|portanto|por isso|ou seja|embora|de modo que|não)(?!\p{L}).*$| e (?:é|são|est[áã]o?)(?!\p{L}).*$/iu,
    notSubject:
      /^(?:onde|se|quando|em|no|na|nos|nas|para|com|por|como|embora|porque|mas|sem|de|do|da|ao|também|entre|segundo|desde|até|sobre|cada|seus?|suas?|ambos|alguns|algumas|quanto|a maioria|mais|ser)(?!\p{L})/iu,
    goal: /^((?:o objetivo|a função|o propósito|a finalidade) (?:de |do |da |dos |das )[^,.]{3,60}?) é (.+)$/iu,
    askGoal: (goal) => `Qual é ${goal}?`,
    naming:
      /(?:é chamad[oa]|são chamad[oa]s|chamam?-se|é conhecid[oa] como|denominam?-se) (?:de )?(?:o |a |os |as |uma? )?$/iu,
    ask: (term, isPlural) => `O que ${isPlural ? "são" : "é"} ${term}?`,
  },
];

const MIN_COMMON_SHARE = 0.12;

/** Whether a word is a function word in one of these languages, and so cannot be an answer. */
export const isFunctionWord = (word: string): boolean =>
  LANGUAGES.some(({ common }) => word.replaceAll(common, "").trim() === "");

/** The language of a text if the engine knows its patterns. */
export function patternsOf(text: string): LanguagePatterns | undefined {
  const words = text.match(/\p{L}+/gu)?.length ?? 0;
  const [best] = LANGUAGES.map((language) => ({ language, count: text.match(language.common)?.length ?? 0 })).toSorted(
    (a, b) => b.count - a.count,
  );
  return best !== undefined && best.count >= words * MIN_COMMON_SHARE ? best.language : undefined;
}
