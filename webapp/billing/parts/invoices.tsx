import { ExternalLink } from "lucide-react";
import type { Invoice } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { loadInvoices, openPortal } from "../state.ts";
import { formatDate, formatMoney } from "./format-billing.ts";
import "./invoices.css";

/** The latest invoices, and a button for the payment provider's portal with all invoices and the payment method. */
export function Invoices() {
  const { answer } = useAsyncValue(loadInvoices);
  const invoices = answer.state === "ready" ? answer.value : [];
  return (
    <section>
      <h2>{t("billing.payments_title")}</h2>
      {answer.state === "failed" && <p>{t("billing.invoices_failed")}</p>}
      {invoices.length > 0 && (
        <ul role="list" className="billing-invoices">
          {invoices.map((invoice) => (
            <InvoiceRow key={invoice.id} {...invoice} />
          ))}
        </ul>
      )}
      <p>{t("billing.payments_text")}</p>
      <Button onClick={() => void openPortal()}>{t("billing.open_portal")}</Button>
    </section>
  );
}

function InvoiceRow({ createdAt, amount, currency, status, url }: Invoice) {
  const date = formatDate(createdAt);
  return (
    <li className="billing-invoice">
      <span>{date}</span>
      <span>{formatMoney(amount, currency)}</span>
      <span data-status={status}>{t(`billing.invoice_${status}`)}</span>
      {url !== null && (
        <a href={url} target="_blank" rel="noopener noreferrer" aria-label={t("billing.invoice_of", { date })}>
          {t("billing.invoice_view")} <ExternalLink aria-hidden />
        </a>
      )}
    </li>
  );
}
