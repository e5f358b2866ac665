import { useEffect, useState } from "preact/hooks";

/** The view and its filters, in the fragment of the page's address: `#/requests/7?refused=1`. */
export interface Address {
  view: string;
  /** The object that the view shows, such as the id of a project or the number of a request. */
  key: string | undefined;
  query: URLSearchParams;
}

function read(): Address {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", key] = path.split("/").map(decode);
  return { view, key: key === "" ? undefined : key, query: new URLSearchParams(query) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export type Filters = Record<string, string | undefined>;

/** @param filters filters without a value are left out */
export function hrefOf(view: string, key?: string, filters: Filters | URLSearchParams = {}): string {
  const given =
    filters instanceof URLSearchParams
      ? filters
      : new URLSearchParams(
          Object.entries(filters).flatMap(([name, value]): [string, string][] =>
            value === undefined || value === "" ? [] : [[name, value]],
          ),
        );
  const path = key === undefined ? view : `${view}/${encodeURIComponent(key)}`;
  return `#/${path}${given.size > 0 ? `?${given}` : ""}`;
}

const replaced = "addressreplaced";

/**
 * Changes filters of the view.
 * @param isMove makes an entry in the browser's history, so that its back button returns, such as to the former page
 */
export function changeFilters(filters: Filters, isMove = false): void {
  const { view, key, query } = read();
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const href = hrefOf(view, key, query);
  if (isMove) history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  dispatchEvent(new Event(replaced));
}

/** @param onMove called when the address changes, also if only a filter has changed */
export function useAddress(onMove?: (to: Address, from: Address) => void): Address {
  const [address, setAddress] = useState(read);
  useEffect(() => {
    let last = read();
    const follow = (): void => {
      const next = read();
      setAddress(next);
      onMove?.(next, last);
      last = next;
    };
    addEventListener("hashchange", follow);
    addEventListener(replaced, follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener(replaced, follow);
    };
  }, []);
  return address;
}
