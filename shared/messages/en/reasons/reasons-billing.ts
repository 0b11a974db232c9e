export const reasonsBilling = {
  payments_not_set_up: "This server does not take payments. Its operator can change your plan.",
  payments_unreachable: "The payment service could not be reached. Please try again in a moment.",
  payment_signature: "The signature of this event is not valid.",
  coupon_not_valid: "This code is not valid.",
  no_subscription: "You have no subscription.",
} as const;
