export const labs = {
  title: "Labor",
  intro:
    "Experimente, standardmäßig aus. Sie können sich ändern oder verschwinden. Deine Notizen und Karten sind davon nicht betroffen.",
  stay_awake: "Bildschirm beim Lernen anlassen",
  stay_awake_text:
    "Der Bildschirm wird beim Lernen eines Stapels nicht dunkel und sperrt sich nicht. Das braucht mehr Akku. Es endet, wenn du den Stapel verlässt oder das Fenster wechselst.",
  one_block: "Fokusmodus",
  one_block_text: "Blendet auf der Seite alles ab außer dem Block, an dem du schreibst.",
  unsupported: "Dein Browser unterstützt das nicht.",
  feedback: "Feedback senden",
  all: "Labor öffnen",
} as const;
