export const reasonsBilling = {
  payments_not_set_up: "This server does not take payments. Its operator can change your plan.",
  payments_unreachable: "The payment service could not be reached. Please try again in a moment.",
  payment_signature: "The signature of this event is not valid.",
  plan_not_for_sale:
    "This plan cannot be bought at the moment. Nothing was charged, your plan stays as it is, and the operator is notified.",
  subscription_unknown:
    "You already pay for a subscription that this server does not recognise, so you were not charged again. The operator is notified; you can see and cancel it under Plan and billing.",
  coupon_not_valid: "This code is not valid.",
  coupon_used: "You have used this code already.",
  coupon_replaces: "Your subscription has a discount that this code would replace. Confirm that first.",
  coupon_in_billing:
    "Your subscription has a discount already. Apply the code under Plan and billing, where you see what it replaces, and then change the plan.",
  no_subscription: "You have no subscription.",
} as const;
