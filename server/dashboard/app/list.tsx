import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Page } from "../wire";
import { changeFilters, useAddress } from "./address";
import { type Params, type Topic, useRested, useView } from "./api";
import { Empty, Heading, Problem, Search } from "./parts";

/** A list with its heading, search and pages. The page's address holds the search and the current page of the list. */
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
  /** The name of the server's view that returns the pages. */
  view: string;
  /** The parameters of the view, except the search and the page. */
  filter: Params;
  topic?: Topic;
  /** The label of the search field. Default: there is no search. */
  search?: string;
  /** Further controls beside the search. */
  controls?: ComponentChildren;
  /** The content of an empty list. */
  empty: (search: string) => ComponentChildren;
  children: (items: Item[]) => ComponentChildren;
}) {
  const { query } = useAddress();
  const { search, setSearch, applied } = useSearch();
  const pages = query.get("pages")?.split(",") ?? [];
  const goTo = (next: string[]): void => changeFilters({ pages: next.join(",") }, true);
  const params = { ...filter, search: applied, until: pages.at(-1) };
  const { data, error } = useView<Page<Item>>(view, params, topic);
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
      {data?.items.length === 0 && <Empty>{empty(applied)}</Empty>}
      {data && data.items.length > 0 && children(data.items)}
      {data && (
        <Pager
          next={data.next}
          isFirst={pages.length === 0}
          shown={data.items.length}
          total={data.total}
          onNext={(next) => goTo([...pages, next])}
          onPrevious={() => goTo(pages.slice(0, -1))}
          onFirst={() => goTo([])}
        />
      )}
    </>
  );
}

/** The text of a search field. `applied` is the search in the address, which is updated when the user stops typing. */
export function useSearch() {
  const applied = useAddress().query.get("search") ?? "";
  const [search, setSearch] = useState(applied);
  const rested = useRested(search.trim());
  const last = useRef(applied);
  useEffect(() => {
    if (rested === last.current) return;
    last.current = rested;
    changeFilters({ search: rested, pages: undefined });
  }, [rested]);
  useEffect(() => {
    // Another address was opened, for instance by the browser's back button.
    if (applied !== last.current) setSearch(applied);
    last.current = applied;
  }, [applied]);
  return { search, setSearch, applied };
}

function Pager({
  next,
  isFirst,
  shown,
  total,
  onNext,
  onPrevious,
  onFirst,
}: {
  next: string | null;
  isFirst: boolean;
  shown: number;
  total: number;
  onNext: (next: string) => void;
  onPrevious: () => void;
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
      <button type="button" disabled={isFirst} onClick={onPrevious}>
        Previous page
      </button>
      <button type="button" disabled={next === null} onClick={() => next !== null && onNext(next)}>
        Next page
      </button>
    </nav>
  );
}
