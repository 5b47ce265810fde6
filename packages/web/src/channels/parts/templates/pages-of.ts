import type { TemplateListParts } from './template-list.tsx'

type PagedView = { search: string; page: number; pageSize: number }

/** Search and paging of a list with numbered pages, from the view in the URL. */
export function pagesOf(
  { search, page, pageSize }: PagedView,
  setView: (patch: Partial<PagedView>, options?: { replace: boolean }) => void,
  list: { total: number; totalPages: number } | undefined,
): Pick<TemplateListParts<unknown>, 'count' | 'search' | 'paging'> {
  return {
    count: list?.total,
    search: {
      label: 'Search templates',
      value: search,
      onValueChange: (typed) => setView({ search: typed, page: 1 }, { replace: true }),
    },
    paging: {
      page,
      pageSize,
      onPage: (turned) => setView({ page: turned }),
      onPageSize: (size) => setView({ pageSize: size, page: 1 }),
      totalPages: list?.totalPages,
      total: list?.total,
    },
  }
}
