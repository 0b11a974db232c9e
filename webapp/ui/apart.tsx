import { Component, type ReactNode } from "react";
import { logTrouble } from "#webapp/app/log.ts";
import { isMissingPart, noticeUpdate } from "#webapp/app/updated.ts";

interface Props {
  /** Told that what is inside could not be shown. */
  onFailed?: () => void;
  children: ReactNode;
}

/** What stands over the screen may fail by itself: the screen below stays, with all that is written on it. */
export class Apart extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    logTrouble("What stands over the screen could not be shown", error);
    if (isMissingPart(error)) void noticeUpdate();
    this.props.onFailed?.();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
