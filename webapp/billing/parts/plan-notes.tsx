type Note = "limit" | "stop" | "failed" | "change";

interface Props {
  names: readonly Note[];
  text: (word: `note_${Note}` | `note_${Note}_title`) => string;
}

/** What happens at a limit, after a change or when payments end. */
export const PlanNotes = ({ names, text }: Props) => (
  <section className="pricing-notes">
    {names.map((name) => (
      <p key={name}>
        <b>{text(`note_${name}_title`)}</b>
        {text(`note_${name}`)}
      </p>
    ))}
  </section>
);
