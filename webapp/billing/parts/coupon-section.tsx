import { type FormEvent, useState } from "react";
import type { CouponCheck } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { checkCoupon, redeemCoupon } from "../state.ts";
import { formatDiscount } from "./format-billing.ts";

/** A code that was checked and would replace a running discount. */
interface Replacing {
  code: string;
  check: CouponCheck;
}

/** Redeems a code. If the code would replace a running discount, the student must confirm that first. */
function useCoupon() {
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const [replacement, setReplacement] = useState<Replacing>();
  const close = () => {
    setOpen(false);
    setReplacement(undefined);
    setCode("");
    setError(undefined);
  };
  const redeem = async ({ code: checked, check }: Replacing) => {
    const message = await redeemCoupon(
      checked,
      check.replaced.map(({ id }) => id),
    );
    if (message === undefined) {
      close();
      return;
    }
    setReplacement(undefined);
    setError(message);
  };
  const checkAndRedeem = async () => {
    const check = await checkCoupon(code);
    if (typeof check === "string") setError(check);
    // The field may contain another code by now.
    else if (check.replaced.length > 0) setReplacement({ code, check });
    else await redeem({ code, check });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") {
      setError(t("billing.coupon_missing"));
      return;
    }
    setPending(true);
    await (replacement ? redeem(replacement) : checkAndRedeem());
    setPending(false);
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
        <Replacement check={replacement.check} currency={currency} />
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
