import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { categoryLabels, senderName } from '../../sms/sender-name.ts'
import { countOf } from '../../../lib/format.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Source } from '../../../ui/data-screen/columns.ts'
import { clearFilter, isActive, type Filter } from '../../../ui/data-screen/filter.ts'
import { FilterBar } from '../../../ui/data-screen/filters.tsx'
import { Pager, type Paging } from '../../../ui/data-screen/pager.tsx'
import { RowMenu } from '../../../ui/data-screen/row-menu.tsx'
import { SearchBox, type SearchState } from '../../../ui/data-screen/search-box.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { TemplateBody } from '../../sms/template-body.tsx'
import { TemplateStatusPill } from '../../sms/templates/status.tsx'

type TemplateGridProps = {
  title: string
  count: number | undefined
  actions: ReactNode
  search: SearchState
  filters: readonly Filter[]
  source: Source<SmsTemplate>
  paging: Paging
  empty: ReactNode
  menu: (template: SmsTemplate) => readonly MenuItem[]
}

/** The same list as bubbles, for those who know a message by its looks. */
export function TemplateGrid({
  title,
  count,
  actions,
  search,
  filters,
  source,
  paging,
  empty,
  menu,
}: TemplateGridProps) {
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
            <TemplateCards templates={rows} menu={menu} />
          </Loaded>
          <Pager {...paging} rowsHere={rows.length} />
        </>
      ) : null}
    </Page>
  )
}

type TemplateCardsProps = {
  templates: readonly SmsTemplate[]
  menu: (template: SmsTemplate) => readonly MenuItem[]
}

export function TemplateCards({ templates, menu }: TemplateCardsProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] gap-4 pb-4 screen-x">
      {templates.map((template) => (
        <GridCard key={template._id} template={template} items={menu(template)} />
      ))}
    </ul>
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

function GridCard({ template, items }: { template: SmsTemplate; items: readonly MenuItem[] }) {
  const { _id, name, header, category, body, variables, parts, status } = template
  return (
    <li className="flex flex-col gap-3 rounded-lg border border-border bg-card p-3">
      <div className="flex items-center gap-1">
        <AreaLink
          to="manage-templates/create-sms"
          search={{ c: _id }}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {name}
        </AreaLink>
        <RowMenu name={name} items={items} />
      </div>
      <div className="flex h-36 flex-col gap-1.5 overflow-hidden rounded-md bg-sunken p-3">
        <span className="text-center text-caption text-muted-foreground">{senderName(header, category)}</span>
        <div className="self-start rounded-[14px] rounded-bl-[4px] bg-card px-3 py-2 text-dense shadow-1 dark:bg-secondary">
          <p dir="auto" className="message-text line-clamp-5 [overflow-wrap:anywhere]">
            <TemplateBody body={body} variables={variables} />
          </p>
        </div>
      </div>
      <div className="flex items-center gap-2 text-caption text-muted-foreground tabular-nums">
        <TemplateStatusPill status={status} />
        <span className="truncate">
          {categoryLabels[category]} · {countOf(parts, 'part')}
        </span>
      </div>
    </li>
  )
}
