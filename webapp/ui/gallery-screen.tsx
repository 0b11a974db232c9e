import { Check, FileText, MoreHorizontal, Plus, Settings, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { Checkbox, Switch } from "#shared/ui/controls/checkbox.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Kbd } from "#shared/ui/kbd.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { Meter, Progress } from "#shared/ui/meter.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Tooltip } from "#shared/ui/overlays/tooltip.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { applyTheme, readStoredTheme, type Theme } from "#webapp/app/browser/theme.ts";
import "./gallery-screen.css";

/** Every component in every state, for development. The texts are not part of the product. */
export function GalleryScreen() {
  const [theme, setTheme] = useState<Theme>(readStoredTheme());
  return (
    <main className="gallery">
      <h1>Components</h1>
      <Segmented
        label="Theme"
        value={theme}
        options={(["light", "dark", "system"] as const).map((value) => ({ value, label: value }))}
        onValue={(value) => {
          setTheme(value);
          applyTheme(value);
        }}
      />
      <Buttons />
      <Fields />
      <SmallParts />
      <Floating />
      <States />
    </main>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h2>{name}</h2>
      <div className="gallery-row">{children}</div>
    </section>
  );
}

function Buttons() {
  return (
    <Group name="Buttons">
      {(["primary", "secondary", "quiet", "danger"] as const).map((variant) => (
        <div key={variant} className="gallery-row">
          <Button variant={variant}>Save</Button>
          <Button variant={variant} icon={<Plus aria-hidden />}>
            Add card
          </Button>
          <Button variant={variant} size="l">
            Start studying
          </Button>
          <Button variant={variant} pending>
            Saving
          </Button>
          <Button variant={variant} disabled>
            Save
          </Button>
        </div>
      ))}
      <Button variant="primary">
        Keep <Kbd>↵</Kbd>
      </Button>
      <ButtonLink href="#top">Link as button</ButtonLink>
      <IconButton label="Settings" icon={<Settings aria-hidden />} />
      <IconButton label="Chosen" icon={<Check aria-hidden />} aria-pressed />
      <IconButton label="Delete" icon={<Trash2 aria-hidden />} disabled />
    </Group>
  );
}

function Fields() {
  const [choice, setChoice] = useState<"a" | "b">("a");
  const [isOn, setOn] = useState(true);
  return (
    <Group name="Fields">
      <TextField label="Name" placeholder="Ada" />
      <TextField label="Password" type="password" hint="At least 8 characters" />
      <TextField label="Email" defaultValue="ada@" error="Enter a valid email address, such as ada@example.org." />
      <TextField label="Disabled" disabled defaultValue="Cannot be changed" />
      <TextArea label="Question" defaultValue="Why is the genetic code called degenerate?" />
      <Select
        label="Sort by"
        value={choice}
        options={[
          { value: "a", label: "Last edited" },
          { value: "b", label: "Title" },
        ]}
        onValue={setChoice}
      />
      <Checkbox label="Archived too" checked={isOn} onValue={setOn} />
      <Switch label="Small sidebar" checked={isOn} onValue={setOn} />
      <Switch label="Off for good" checked={false} disabled onValue={setOn} />
      <Segmented
        label="Density"
        labelShown
        value={choice}
        options={[
          { value: "a", label: "Low", icon: <FileText aria-hidden /> },
          { value: "b", label: "Medium" },
        ]}
        onValue={setChoice}
      />
    </Group>
  );
}

function SmallParts() {
  return (
    <Group name="Small parts">
      <Chip>18 cards</Chip>
      <Chip tone="lit">7 due</Chip>
      <Chip tone="good">Saved</Chip>
      <Chip tone="bad">Failed</Chip>
      <Kbd>1</Kbd>
      <Kbd>Space</Kbd>
      <p>
        One amino acid, or a stop signal
        <CiteBadge
          place="p. 3"
          label="Lecture 9.pdf, page 3"
          source="Lecture 9.pdf, page 3"
          quote="Each codon, three nucleotides long, names one amino acid or a stop."
        />
      </p>
      <div className="gallery-wide">
        <Meter label="Uploads" value={3} max={10} />
        <Progress label="Making cards" value={12} max={42} valueText="12 of 42" />
      </div>
    </Group>
  );
}

function Floating() {
  const [open, setOpen] = useState(false);
  return (
    <Group name="Floating">
      <Menu
        trigger={<IconButton label="More" icon={<MoreHorizontal aria-hidden />} />}
        groups={[
          [
            { label: "Open", icon: <FileText aria-hidden />, onSelect: () => undefined, keys: "↵" },
            { label: "Cannot be chosen", onSelect: () => undefined, disabled: true },
          ],
          [{ label: "Delete", icon: <Trash2 aria-hidden />, onSelect: () => undefined, danger: true }],
        ]}
      />
      <Tooltip content="Edited by you, 3 minutes ago">
        <Button>With a tooltip</Button>
      </Tooltip>
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <Dialog
        open={open}
        title="Drop 3 cards"
        onClose={() => setOpen(false)}
        closeLabel="Close"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Keep them</Button>
            <Button variant="danger" onClick={() => setOpen(false)}>
              Drop
            </Button>
          </>
        }
      >
        <p>Their reviews stay in your history.</p>
      </Dialog>
      <Button
        onClick={() =>
          notify({ type: "success", message: "Page deleted", action: { label: "Undo", run: () => undefined } })
        }
      >
        Notice
      </Button>
      <Button onClick={() => notify({ type: "error", message: "Failed to update settings" })}>Error notice</Button>
    </Group>
  );
}

function States() {
  return (
    <Group name="States">
      <Skeleton label="Loading" />
      <EmptyState title="Start with a page" action={<Button variant="primary">New page</Button>}>
        Write notes on it, put a PDF on it, and make cards from either.
      </EmptyState>
      <ErrorState title="Your pages could not be loaded" action={<Button>Try again</Button>}>
        Nothing is lost: what you wrote here is kept on this device.
      </ErrorState>
    </Group>
  );
}
