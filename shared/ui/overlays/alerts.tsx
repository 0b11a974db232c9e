import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { X } from "lucide-react";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { useTopDialog } from "./top-dialog.ts";
import "./alerts.css";

export const ALERT_MS = 2500;

export interface Alert {
  id: string;
  message: string;
  type: "success" | "error" | "info";
  /** One follow-up action, such as undo. */
  action?: { label: string; run: () => void };
}

interface Props {
  alerts: readonly Alert[];
  onDismiss: (id: string) => void;
  dismissLabel: string;
  /** Labels the region as a landmark. */
  label: string;
}

function AlertItem({ alert, onDismiss, dismissLabel }: { alert: Alert } & Pick<Props, "onDismiss" | "dismissLabel">) {
  const [isPaused, setPaused] = useState(false);
  const { id, action } = alert;

  // Hovered or focused alerts stay; the timeout restarts afterwards.
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(() => onDismiss(id), ALERT_MS);
    return () => clearTimeout(timer);
  }, [isPaused, id, onDismiss]);

  return (
    <li className="alert-place">
      <div
        className={`alert alert-${alert.type}`}
        role={alert.type === "error" ? "alert" : "status"}
        onPointerEnter={() => setPaused(true)}
        onPointerLeave={() => setPaused(false)}
        onFocus={() => setPaused(true)}
        onBlur={() => setPaused(false)}
      >
        <span className="alert-message">{alert.message}</span>
        {action !== undefined && (
          <Button
            variant="quiet"
            className="alert-action"
            onClick={() => {
              action.run();
              onDismiss(id);
            }}
          >
            {action.label}
          </Button>
        )}
        <IconButton label={dismissLabel} icon={<X aria-hidden />} onClick={() => onDismiss(id)} />
      </div>
    </li>
  );
}

/** Short notices for events that are not visible where they happened. An open dialog shows them above its backdrop. */
export function Alerts({ alerts, onDismiss, dismissLabel, label }: Props) {
  const dialog = useTopDialog();
  const region = (
    <section className="alerts" aria-label={label}>
      <ul role="list">
        {alerts.map((alert) => (
          <AlertItem key={alert.id} alert={alert} onDismiss={onDismiss} dismissLabel={dismissLabel} />
        ))}
      </ul>
    </section>
  );
  return dialog ? createPortal(region, dialog) : region;
}
