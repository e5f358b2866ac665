import { useEffect, useRef, useState } from "preact/hooks";
import type { Page, ProjectItem } from "../wire";
import { hrefOf } from "./address";
import { useRested, useView } from "./api";
import { Search } from "./parts";

/** A dialog that goes to a view or a project by name. Ctrl-K or ⌘K opens it. */
export function Jump({
  views,
  account,
}: {
  views: (readonly [view: string, label: string])[];
  account: string;
}) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  return (
    <>
      <button type="button" class="quiet jump" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <JumpDialog views={views} account={account} onClose={() => setOpen(false)} />}
    </>
  );
}

function JumpDialog({
  views,
  account,
  onClose,
}: {
  views: (readonly [view: string, label: string])[];
  account: string;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const search = useRested(text.trim());
  const { data } = useView<Page<ProjectItem>>("projects", { account, search });
  useEffect(() => dialog.current?.showModal(), []);
  const found = data?.items ?? [];
  const targets = [
    ...views.map(([view, label]) => ({ href: hrefOf(view), label, kind: "view" })),
    ...found.map(({ id, name }) => ({ href: hrefOf("projects", id), label: name, kind: "project" })),
  ]
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, 12);
  const go = (event: Event): void => {
    event.preventDefault();
    const [first] = targets;
    if (first !== undefined) location.hash = first.href;
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="jumping" aria-label="Go to" onClose={onClose}>
      <form onSubmit={go}>
        <Search label="View or project" value={text} onChange={setText} />
      </form>
      <ul class="plainlist">
        {targets.map(({ href, label, kind }) => (
          <li key={href}>
            <a href={href} onClick={() => dialog.current?.close()}>
              {label}
            </a>
            <span class="faint">{kind}</span>
          </li>
        ))}
      </ul>
      {targets.length === 0 && <p class="faint">No view and no project has this name.</p>}
    </dialog>
  );
}
