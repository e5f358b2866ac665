import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Page } from "../wire";
import { type Params, type Topic, useRested, useView } from "./api";
import { Empty, Heading, Problem, Search } from "./parts";

/** A list with its heading: searched, paged through, and loaded anew when it changes. */
export function List<Item>({
  title,
  view,
  filter,
  topic,
  search: label,
  controls,
  empty,
  children,
}: {
  title: string;
  /** The name of the view, whose pages it shows. */
  view: string;
  /** What it asks the view for, beside the search and the page. */
  filter: Params;
  topic?: Topic;
  /** What the field of the search is called. Default: there is none. */
  search?: string;
  /** What stands beside the search, which it needs. */
  controls?: ComponentChildren;
  /** What is said when nothing is there. */
  empty: (search: string) => ComponentChildren;
  children: (items: Item[]) => ComponentChildren;
}) {
  const [search, setSearch] = useState("");
  const rested = useRested(search.trim());
  const [until, setUntil] = usePage(`${JSON.stringify(filter)} ${rested}`);
  const { data, error } = useView<Page<Item>>(view, { ...filter, search: rested, until }, topic);
  return (
    <>
      <Heading title={title} count={data?.total}>
        {label !== undefined && (
          <>
            {controls}
            <Search label={label} value={search} onChange={setSearch} />
          </>
        )}
      </Heading>
      <Problem text={error} />
      {data?.items.length === 0 && <Empty>{empty(rested)}</Empty>}
      {data && data.items.length > 0 && children(data.items)}
      {data && (
        <Pager
          next={data.next}
          isFirst={until === undefined}
          shown={data.items.length}
          total={data.total}
          onNext={setUntil}
          onFirst={() => setUntil(undefined)}
        />
      )}
    </>
  );
}

/** The page of a list, which is the first again when something else is listed. */
function usePage(key: string): [string | undefined, (next: string | undefined) => void] {
  const [page, setPage] = useState<{ key: string; until: string | undefined }>({ key, until: undefined });
  return [page.key === key ? page.until : undefined, (until) => setPage({ key, until })];
}

/** Buttons for the next page and the first one. */
function Pager({
  next,
  isFirst,
  shown,
  total,
  onNext,
  onFirst,
}: {
  next: string | null;
  isFirst: boolean;
  shown: number;
  total: number;
  onNext: (next: string) => void;
  onFirst: () => void;
}) {
  if (isFirst && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {shown.toLocaleString("en")} of {total.toLocaleString("en")} shown
      </span>
      <button type="button" disabled={isFirst} onClick={onFirst}>
        First page
      </button>
      <button type="button" disabled={next === null} onClick={() => next !== null && onNext(next)}>
        Next page
      </button>
    </nav>
  );
}
