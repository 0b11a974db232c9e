import { type FormEvent, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { redeemCoupon } from "../state.ts";

/** A discount code for a subscription that is running; one for a purchase is entered beside the prices. */
export function CouponSection() {
  const [isOpen, setOpen] = useState(false);
  const [code, setCode] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const redeem = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") return setError(t("billing.coupon_missing"));
    setPending(true);
    const message = await redeemCoupon(code);
    setPending(false);
    setError(message);
    if (message === undefined) setOpen(false);
  };
  if (!isOpen)
    return (
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t("billing.coupon_show")}
      </Button>
    );
  return (
    <form className="billing-form" onSubmit={(event) => void redeem(event)}>
      <TextField
        label={t("billing.coupon")}
        error={error}
        value={code}
        maxLength={100}
        autoComplete="off"
        autoFocus
        onChange={(event) => setCode(event.target.value)}
      />
      <p className="billing-actions">
        <Button type="submit" variant="primary" pending={isPending}>
          {t("billing.coupon_redeem")}
        </Button>
        <Button variant="quiet" onClick={() => setOpen(false)}>
          {t("billing.back")}
        </Button>
      </p>
    </form>
  );
}
