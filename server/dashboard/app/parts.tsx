import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Outcome } from "../wire";
import { useShared } from "./context";

/** Small components that the views share. */

export type Tone = "good" | "bad" | "wait" | "plain";

/** The tone of a request by its outcome. */
export const outcomeTones: Record<Outcome, Tone> = {
  answered: "good",
  absent: "plain",
  refused: "wait",
  failed: "bad",
  dropped: "bad",
};

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Heading({
  title,
  count,
  children,
}: {
  title: string;
  count?: number | undefined;
  children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
  return (
    <div class="heading">
      <h1>
        {title} {count !== undefined && <span class="count">{count.toLocaleString("en")}</span>}
      </h1>
      {children && <div class="tools">{children}</div>}
    </div>
  );
}

export function Search({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={label}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A relative time by the server's clock, with the exact time as its title. */
export function Time({ at }: { at: number }) {
  const { state } = useShared();
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {distance(at - state.now)}
    </time>
  );
}

const units: [string, number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

export function distance(ms: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? ["s", 1000];
  const count = Math.round(Math.abs(ms) / size);
  if (count < 2 && unit === "s") return "now";
  return ms < 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
}

/** @param title the text of the button. Default: Copy */
export function Copy({ text, label, title = "Copy" }: { text: string; label: string; title?: string }) {
  const { tell } = useShared();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    tell(`Copied ${label}.`);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()} aria-label={`Copy ${label}`}>
      {title}
    </button>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** Links to the pages above this one. */
export function Breadcrumb({ steps }: { steps: readonly (readonly [label: string, href: string])[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      {steps.map(([label, href], index) => (
        <>
          {index > 0 && " / "}
          <a key={href} href={href}>
            {label}
          </a>
        </>
      ))}
    </nav>
  );
}

/** A button that asks for confirmation. */
export function Confirm({
  label,
  question,
  onConfirm,
  describedAs,
}: {
  label: string;
  question: string;
  onConfirm: () => void;
  describedAs?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button type="button" aria-label={describedAs} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={label}>
        <p>{question}</p>
        <div class="tools">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="main"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {label}
          </button>
        </div>
      </dialog>
    </>
  );
}
