export const reasonsBilling = {
  payments_not_set_up: "Dieser Server nimmt keine Zahlungen an. Wer ihn betreibt, kann deinen Tarif ändern.",
  payments_unreachable: "Der Zahlungsdienst ist nicht erreichbar. Bitte versuche es gleich noch einmal.",
  payment_signature: "Die Signatur dieses Ereignisses ist ungültig.",
  plan_not_for_sale:
    "Dieser Tarif lässt sich gerade nicht kaufen. Es wurde nichts berechnet, dein Tarif bleibt, und wer den Server betreibt, wird benachrichtigt.",
  subscription_unknown:
    "Du bezahlst schon ein Abo, das dieser Server nicht erkennt. Deshalb wurde nichts weiter berechnet. Wer den Server betreibt, wird benachrichtigt; unter „Tarif und Abrechnung“ kannst du das Abo ansehen und kündigen.",
  coupon_not_valid: "Dieser Code ist nicht gültig.",
  coupon_used: "Du hast diesen Code schon verwendet.",
  coupon_replaces: "Dein Abo hat einen Rabatt, den dieser Code ersetzen würde. Bestätige das zuerst.",
  coupon_in_billing:
    "Dein Abo hat schon einen Rabatt. Löse den Code unter „Tarif und Abrechnung“ ein, wo du siehst, was er ersetzt, und wechsle danach den Tarif.",
  no_subscription: "Du hast kein Abo.",
} as const;
