import * as RadixTooltip from "radix-ui/tooltip";
import type { ReactElement, ReactNode } from "react";
import "./tooltip.css";

export const TOOLTIP_DELAY_MS = 400;

interface Props {
  /** More than the label says: a tooltip that repeats it is left out. */
  content: ReactNode;
  /** The element it belongs to; it must take a ref and be reachable by keyboard. */
  children: ReactElement;
}

export function Tooltip({ content, children }: Props) {
  return (
    <RadixTooltip.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
            {content}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
