import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { clearFilter, isActive } from '../../../ui/data-screen/filter.ts'
import { FilterBar } from '../../../ui/data-screen/filters.tsx'
import { Pager } from '../../../ui/data-screen/pager.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { editorView } from './editor-view.ts'
import type { TemplateListParts } from './template-list.tsx'

type TemplateGridProps<Row> = TemplateListParts<Row> & { cards: (rows: readonly Row[]) => ReactNode }

/** The same list as message bubbles. */
export function TemplateGrid<Row>(props: TemplateGridProps<Row>) {
  const { title, count, actions, search, filters, source, paging, empty, cards } = props
  const { rows, error, refetch } = source
  const isNarrowed = search.value !== '' || filters.some(isActive)

  function clear() {
    filters.filter(isActive).forEach(clearFilter)
    search.onValueChange('')
  }

  return (
    <Page title={title} count={count} actions={actions}>
      <div className="flex min-h-14 items-center gap-2 py-3 screen-x">
        <SearchBox {...search} />
        <FilterBar filters={filters} />
      </div>
      {error ? <Failure error={error} onRetry={refetch} staleSince={rows && source.updatedAt} /> : null}
      {!rows && !error ? (
        <Loading label="Loading templates">
          <SkeletonLines count={8} />
        </Loading>
      ) : null}
      {rows?.length === 0 ? isNarrowed ? <NoMatch onClear={clear} /> : empty : null}
      {rows && rows.length > 0 ? (
        <>
          <Loaded at={source.updatedAt} isStale={error !== null}>
            <TemplateCards>{cards(rows)}</TemplateCards>
          </Loaded>
          <Pager {...paging} rowsHere={rows.length} />
        </>
      ) : null}
    </Page>
  )
}

export function TemplateCards({ children }: { children: ReactNode }) {
  return <ul className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-4 pb-4 screen-x">{children}</ul>
}

type TemplateCardProps = {
  editorPath: string
  id: string
  name: string
  menu: readonly MenuItem[]
  /** Sender name shown on the phone. */
  sender: string
  /** The text of the bubble. */
  children: ReactNode
  status: ReactNode
  detail: string
}

/** A template as a message bubble. */
export function TemplateCard({ editorPath, id, name, menu, sender, children, status, detail }: TemplateCardProps) {
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-border bg-card p-3">
      <div className="flex items-center gap-1">
        <AreaLink
          to={editorPath}
          search={writeView(editorView, { templateId: id })}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {name}
        </AreaLink>
        <RowMenu name={name} items={menu} />
      </div>
      <div className="flex h-36 flex-col gap-1.5 overflow-hidden rounded-md bg-sunken p-3">
        <span className="text-center text-caption text-muted-foreground">{sender}</span>
        <div className="self-start rounded-[14px] rounded-bl-[4px] bg-card px-3 py-2 text-dense shadow-1 dark:bg-secondary">
          <p dir="auto" className="message-text line-clamp-5 [overflow-wrap:anywhere]">
            {children}
          </p>
        </div>
      </div>
      <div className="flex items-center gap-2 text-caption text-muted-foreground tabular-nums">
        {status}
        <span className="truncate">{detail}</span>
      </div>
    </li>
  )
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      icon={SearchX}
      title="No templates match these filters"
      actions={<Button onClick={onClear}>Clear filters</Button>}
    />
  )
}
