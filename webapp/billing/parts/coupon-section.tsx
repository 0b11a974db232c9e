import { type FormEvent, useState } from "react";
import type { CouponCheck } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { checkCoupon, redeemCoupon } from "../state.ts";
import { discountText } from "./discount-text.ts";

/** Entering a code; where it would replace a running discount, a question comes first. */
function useCoupon() {
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const [question, setQuestion] = useState<CouponCheck>();
  const close = () => {
    setOpen(false);
    setQuestion(undefined);
    setCode("");
    setError(undefined);
  };
  const redeem = async (confirmed?: CouponCheck) => {
    const check = confirmed ?? (await checkCoupon(code));
    if (typeof check === "string") return setError(check);
    if (!confirmed && check.replaced.length > 0) return setQuestion(check);
    const replaces = check.replaced.map(({ id }) => id);
    const message = await redeemCoupon(code, replaces);
    if (message === undefined) return close();
    setQuestion(undefined);
    return setError(message);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") return setError(t("billing.coupon_missing"));
    setPending(true);
    await redeem(question);
    return setPending(false);
  };
  return { isOpen, open: () => setOpen(true), close, code, setCode, isPending, error, question, submit };
}

/** A discount code for a subscription that is running; one for a purchase is entered beside the prices. */
export function CouponSection({ currency }: { currency: string }) {
  const { isOpen, open, close, code, setCode, isPending, error, question, submit } = useCoupon();
  if (!isOpen)
    return (
      <Button variant="quiet" onClick={open}>
        {t("billing.coupon_show")}
      </Button>
    );
  return (
    <form className="billing-form" onSubmit={(event) => void submit(event)}>
      {question ? (
        <Replacement check={question} currency={currency} />
      ) : (
        <TextField
          label={t("billing.coupon")}
          error={error}
          value={code}
          maxLength={100}
          autoComplete="off"
          autoFocus
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      <p className="billing-actions">
        <Button type="submit" variant="primary" pending={isPending}>
          {t(question ? "billing.coupon_replace" : "billing.coupon_redeem")}
        </Button>
        <Button variant="quiet" disabled={isPending} onClick={close}>
          {t(question ? "billing.coupon_keep" : "billing.back")}
        </Button>
      </p>
    </form>
  );
}

function Replacement({ check, currency }: { check: CouponCheck; currency: string }) {
  return (
    <div role="alert">
      <b>{t("billing.coupon_replaces")}</b>
      {check.replaced.map(({ id, ...discount }) => (
        <p key={id}>{t("billing.coupon_now", { discount: discountText(discount, currency) })}</p>
      ))}
      <p>{t("billing.coupon_then", { discount: discountText(check.discount, currency) })}</p>
      <p>{t("billing.coupon_lost")}</p>
    </div>
  );
}
