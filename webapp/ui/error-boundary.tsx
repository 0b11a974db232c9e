import { Component, type ReactNode } from "react";
import { logWarning } from "#webapp/app/log.ts";
import { isMissingModule, notifyOfUpdate } from "#webapp/app/app-updated.ts";

interface Props {
  /** Called when the children could not be rendered. */
  onError?: () => void;
  children: ReactNode;
}

/** An error boundary for overlays. If an overlay fails, the screen below continues to work. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    logWarning("Could not render an overlay", error);
    if (isMissingModule(error)) void notifyOfUpdate();
    this.props.onError?.();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
