import type { ConversationCounts } from '@carillon/contract/conversations'
import clsx from 'clsx'
import { ArrowDownNarrowWide, ChevronDown, ClockAlert, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Keys } from '../../../ui/kbd.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { OwnAvailability } from '../../../ui/own-availability.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { ViewsMenu } from '../../../ui/data-screen/views-menu.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { boxNames, formatCapped, orderNames } from '../chat-labels.ts'
import { boxes, orders, passingLetters, type ChatsView } from '../chats-view.ts'
import { InboxFilters } from './inbox-filters.tsx'

type ListPaneProps = {
  view: ChatsView
  counts: ConversationCounts | undefined
  /** Loaded rows. */
  shown: number
  onView: (patch: Partial<ChatsView>, change?: { replace?: boolean }) => void
  onNew: () => void
  /** Begins to select rows; absent if there is none, or while they are selected. */
  onSelect: (() => void) | undefined
  footer: ReactNode
  children: ReactNode
}

/** Tabs, search, filters and order above the rows. */
export function ListPane(props: ListPaneProps) {
  const { view, counts, shown, onView, onNew, onSelect, footer, children } = props
  const isSearching = view.search !== ''
  return (
    <section aria-label="Conversations" className="flex min-h-0 min-w-0 flex-col">
      <div className="flex h-13 shrink-0 items-center gap-2 pt-1 pr-2.5 pl-4">
        <h1 tabIndex={-1} className="min-w-0 flex-1 text-title font-semibold outline-none">
          Conversations
        </h1>
        <span className="md:max-lg:[&_[data-text]]:sr-only">
          <OwnAvailability />
        </span>
        <IconButton label="New conversation" size="sm" className="max-md:size-11" onClick={onNew}>
          <SquarePen aria-hidden />
        </IconButton>
      </div>
      <Tabs
        label="Conversations"
        inset="list"
        value={view.box}
        onValueChange={(box) => onView({ box })}
        items={boxes.map((box) => ({
          value: box,
          label: boxNames[box],
          count: counts ? formatCapped(counts[box]) : undefined,
        }))}
      />
      <div className="flex shrink-0 gap-2 px-3 pt-3 [&>span:first-child]:w-auto [&>span:first-child]:flex-1">
        <SearchBox
          label="Name, number or text"
          value={view.search}
          onValueChange={(search) => onView({ search }, { replace: true })}
        />
        <InboxFilters view={view} onView={onView} />
        <ViewsMenu isIcon list="chats" look={plainLook} onLook={ignore} passing={passingLetters} />
      </div>
      {isSearching ? (
        <div className="h-3 shrink-0 border-b border-border" />
      ) : (
        <OrderLine view={view} counts={counts} onView={onView} onSelect={onSelect} />
      )}
      {children}
      {footer ?? <Hints shown={shown} total={isSearching ? undefined : counts?.[view.box]} />}
    </section>
  )
}

/** The list has no columns. */
const plainLook = { compact: false, shown: {} }
const ignore = () => undefined

type OrderLineProps = Pick<ListPaneProps, 'view' | 'counts' | 'onView' | 'onSelect'>

function OrderLine({ view, counts, onView, onSelect }: OrderLineProps) {
  const soon = counts?.closingSoon ?? 0
  const isSoonShown = soon > 0 || view.isClosingSoon
  return (
    <div className="flex min-h-10 shrink-0 items-center border-b border-border px-2 py-1.5">
      <Menu
        label="Order"
        align="start"
        items={orders.map((order) => ({
          label: orderNames[order],
          isCurrent: order === view.order,
          onSelect: () => onView({ order }),
        }))}
        trigger={
          <Button variant="ghost" size="tool" className="text-caption! text-muted-foreground">
            <ArrowDownNarrowWide aria-hidden className="size-3.5!" />
            {orderNames[view.order]}
            <ChevronDown aria-hidden className="size-3.5!" />
          </Button>
        }
      />
      {isSoonShown ? (
        <Button
          variant="ghost"
          size="tool"
          aria-pressed={view.isClosingSoon}
          className="ml-auto text-caption! text-warning-text aria-pressed:bg-warning-muted"
          onClick={() => onView({ isClosingSoon: !view.isClosingSoon })}
        >
          <ClockAlert aria-hidden className="size-3.5!" />
          {formatCapped(soon)} within 2 h
        </Button>
      ) : null}
      {onSelect ? (
        <Button
          variant="ghost"
          size="tool"
          className={clsx('text-caption! text-muted-foreground', !isSoonShown && 'ml-auto')}
          onClick={onSelect}
        >
          Select
        </Button>
      ) : null}
    </div>
  )
}

function Hints({ shown, total }: { shown: number; total: number | undefined }) {
  return (
    <div className="flex h-10 shrink-0 items-center gap-1.5 border-t border-border px-4 text-caption text-muted-foreground max-md:hidden">
      <Keys names={['J', 'K']} /> <span className="mr-2">move</span>
      <Keys names={['E']} /> <span>resolve</span>
      {total === undefined ? null : (
        <span className="ml-auto whitespace-nowrap tabular-nums">
          {Math.min(shown, total)} of {formatCapped(total)}
        </span>
      )}
    </div>
  )
}
