import { Component, type ReactNode } from "react";
import { logTrouble } from "#webapp/app/log.ts";
import { isMissingPart, noticeUpdate } from "#webapp/app/updated.ts";

interface Props {
  /** Called when the children could not be rendered. */
  onFailed?: () => void;
  children: ReactNode;
}

/** Error boundary for overlays: if one fails, the screen below keeps working. */
export class Apart extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    logTrouble("Could not render an overlay", error);
    if (isMissingPart(error)) void noticeUpdate();
    this.props.onFailed?.();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
