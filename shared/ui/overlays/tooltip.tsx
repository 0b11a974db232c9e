import * as RadixTooltip from "radix-ui/tooltip";
import { useRef, useState, type ReactElement, type ReactNode } from "react";
import "./tooltip.css";

export const TOOLTIP_DELAY_MS = 400;

interface Props {
  /** Must add something to the label. */
  content: ReactNode;
  /** The trigger; it must accept a ref and be focusable. */
  children: ReactElement;
}

/**
 * For this time after opening, scrolling does not close the tooltip, because focus may scroll the trigger into view.
 */
const SETTLE_MS = 300;

export function Tooltip({ content, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const openedAt = useRef(0);
  const trigger = useRef<HTMLButtonElement>(null);
  const allowClosing = () => {
    openedAt.current = 0;
  };
  const handleOpenChange = (next: boolean) => {
    if (next) openedAt.current = performance.now();
    const isSettling = performance.now() - openedAt.current < SETTLE_MS;
    if (next || !isSettling || trigger.current?.matches(":focus") !== true) setOpen(next);
  };
  return (
    <RadixTooltip.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <RadixTooltip.Root open={isOpen} onOpenChange={handleOpenChange}>
        <RadixTooltip.Trigger asChild ref={trigger}>
          {children}
        </RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content className="tooltip" sideOffset={6} collisionPadding={8} onEscapeKeyDown={allowClosing}>
            {content}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
