/** A note that says how the visitor's input is processed, such as only on this device. */
export function LocalNote({ title, text }: { title?: string; text: string }) {
  return (
    <div className="tool-local">
      <svg
        viewBox="0 0 24 24"
        width="20"
        height="20"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        <rect x="4" y="11" width="16" height="10" rx="2" />
        <path d="M8 11V7a4 4 0 0 1 8 0v4" />
      </svg>
      <p>
        {title !== undefined && <strong>{title}</strong>}
        {text}
      </p>
    </div>
  );
}
