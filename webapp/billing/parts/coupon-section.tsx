import { type FormEvent, useState } from "react";
import type { CouponCheck } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { checkCoupon, redeemCoupon } from "../state.ts";
import { formatDiscount } from "./format-billing.ts";

/** Redeems a code. If the code would replace a running discount, the student must confirm that first. */
function useCoupon() {
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const [replacement, setReplacement] = useState<CouponCheck>();
  const close = () => {
    setOpen(false);
    setReplacement(undefined);
    setCode("");
    setError(undefined);
  };
  const redeem = async (confirmed?: CouponCheck) => {
    const check = confirmed ?? (await checkCoupon(code));
    if (typeof check === "string") return setError(check);
    if (!confirmed && check.replaced.length > 0) return setReplacement(check);
    const replaces = check.replaced.map(({ id }) => id);
    const message = await redeemCoupon(code, replaces);
    if (message === undefined) return close();
    setReplacement(undefined);
    return setError(message);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") return setError(t("billing.coupon_missing"));
    setPending(true);
    await redeem(replacement);
    return setPending(false);
  };
  return { isOpen, open: () => setOpen(true), close, code, setCode, isPending, error, replacement, submit };
}

/** A discount code for a running subscription. The code for a purchase is entered beside the prices. */
export function CouponSection({ currency }: { currency: string }) {
  const { isOpen, open, close, code, setCode, isPending, error, replacement, submit } = useCoupon();
  if (!isOpen)
    return (
      <Button variant="quiet" onClick={open}>
        {t("billing.coupon_show")}
      </Button>
    );
  return (
    <form className="billing-form" onSubmit={(event) => void submit(event)}>
      {replacement ? (
        <Replacement check={replacement} currency={currency} />
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
          {t(replacement ? "billing.coupon_replace" : "billing.coupon_redeem")}
        </Button>
        <Button variant="quiet" disabled={isPending} onClick={close}>
          {t(replacement ? "billing.coupon_keep" : "billing.back")}
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
        <p key={id}>{t("billing.coupon_now", { discount: formatDiscount(discount, currency) })}</p>
      ))}
      <p>{t("billing.coupon_then", { discount: formatDiscount(check.discount, currency) })}</p>
      <p>{t("billing.coupon_lost")}</p>
    </div>
  );
}
