export const labs = {
  title: "Labor",
  intro:
    "Hier wird etwas ausprobiert. Alles ist aus, bis du es einschaltest, ändert nur das, was daneben steht, und kann wieder gehen oder zu Lamplight kommen. Deine Seiten und Karten sind mit und ohne dieselben.",
  stay_awake: "Bildschirm beim Lernen anlassen",
  stay_awake_text:
    "Solange ein Stapel zum Lernen offen ist, wird das Gerät nicht dunkel und sperrt sich nicht. Das kostet Akku und endet, wenn du den Stapel verlässt oder in ein anderes Fenster siehst.",
  one_block: "Ein Block nach dem anderen",
  one_block_text:
    "Auf einer Seite werden die Wörter um den Block, an dem du schreibst, grau, bis du den Text der Seite verlässt oder mehr als einen Block markierst.",
  cannot: "Dieser Browser kann das nicht: Der Schalter ändert hier nichts.",
  tell: "Sag uns, wie es war",
  all: "Labor öffnen",
} as const;
