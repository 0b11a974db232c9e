import { useEffect, useRef, useState, type ReactNode } from "react";
import { CancellationReason, type Subscription } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { cancelSubscription, pauseSubscription } from "../state.ts";
import { formatDate } from "./format-billing.ts";

const pauses = ["14", "30", "60", "90"] as const;

interface ConfirmProps {
  action: string;
  isDanger?: boolean;
  children: ReactNode;
  /** Resolves to an error message; undefined once it is done. */
  onConfirm: () => Promise<string | undefined>;
  onBack: () => void;
  onDone: () => void;
}

/** Replaces the buttons that opened it, and takes the focus. */
function Confirm({ action, isDanger = false, children, onConfirm, onBack, onDone }: ConfirmProps) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.focus(), []);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setPending(true);
    const message = await onConfirm();
    setPending(false);
    setError(message);
    if (message === undefined) onDone();
  };
  return (
    <div ref={form} tabIndex={-1} className="billing-form">
      {children}
      {error !== undefined && (
        <p className="billing-error" role="alert">
          {error}
        </p>
      )}
      <p className="billing-actions">
        <Button variant={isDanger ? "danger" : "primary"} pending={isPending} onClick={() => void confirm()}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {t("billing.back")}
        </Button>
      </p>
    </div>
  );
}

type FormProps = Pick<ConfirmProps, "onBack" | "onDone">;

function PauseForm(closing: FormProps) {
  const [days, setDays] = useState<(typeof pauses)[number]>("30");
  return (
    <Confirm action={t("billing.pause")} onConfirm={() => pauseSubscription(Number(days))} {...closing}>
      <p>{t("billing.pause_text")}</p>
      <Segmented
        label={t("billing.pause_for")}
        labelShown
        value={days}
        onValue={setDays}
        options={pauses.map((value) => ({ value, label: t(`billing.days_${value}`) }))}
      />
    </Confirm>
  );
}

function CancelForm({ subscription, ...closing }: FormProps & { subscription: Subscription }) {
  const [reason, setReason] = useState<CancellationReason | "">("");
  const [comment, setComment] = useState("");
  const now = useNow();
  const date = formatDate(subscription.periodEndsAt ?? now);
  return (
    <Confirm
      action={t("billing.cancel")}
      isDanger
      onConfirm={() => cancelSubscription(reason || null, comment)}
      {...closing}
    >
      <p>{t("billing.cancel_text", { date })}</p>
      <Select
        label={t("billing.cancel_reason")}
        value={reason}
        onValue={setReason}
        options={[
          { value: "", label: t("billing.cancel_choose") },
          ...CancellationReason.options.map((value) => ({ value, label: t(`billing.${value}_reason`) })),
        ]}
      />
      <TextArea
        label={t("billing.cancel_comment")}
        value={comment}
        maxLength={1000}
        rows={3}
        onChange={(event) => setComment(event.target.value)}
      />
    </Confirm>
  );
}

/**
 * Buttons to pause or cancel, each with its form in place. A closed form returns the focus to its button or the
 * heading.
 */
export function CancelOrPauseSection({ subscription }: { subscription: Subscription }) {
  const [open, setOpen] = useState<"pause" | "cancel">();
  const [opener, setOpener] = useState<"pause" | "cancel">();
  const heading = useRef<HTMLHeadingElement>(null);
  const isPaused = subscription.plan.paused;
  const openForm = (form: "pause" | "cancel") => {
    setOpen(form);
    setOpener(form);
  };
  const close = () => setOpen(undefined);
  const finish = () => {
    setOpener(undefined);
    close();
    heading.current?.focus();
  };
  return (
    <section>
      <h2 ref={heading} tabIndex={-1}>
        {t(isPaused ? "billing.cancel" : "billing.leave_title")}
      </h2>
      {open === undefined && (
        <p className="billing-actions">
          {!isPaused && (
            <Button autoFocus={opener === "pause"} onClick={() => openForm("pause")}>
              {t("billing.pause")}
            </Button>
          )}
          <Button autoFocus={opener === "cancel"} onClick={() => openForm("cancel")}>
            {t("billing.cancel")}
          </Button>
        </p>
      )}
      {open === "pause" && <PauseForm onBack={close} onDone={finish} />}
      {open === "cancel" && <CancelForm subscription={subscription} onBack={close} onDone={finish} />}
    </section>
  );
}
