import { Tabs as Primitive } from 'radix-ui'
import clsx from 'clsx'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { ignoreWhenLedBack } from './return-focus.ts'

export type TabItem<Value extends string = string> = {
  value: Value
  label: string
  count?: number | string | undefined
}

type TabsProps<Value extends string> = {
  label: string
  items: readonly TabItem<Value>[]
  value: Value
  onValueChange: (value: Value) => void
  /** The panel of the chosen tab. */
  children?: ReactNode
  /** Extends the line to the edges of a screen or sheet. */
  inset?: 'screen' | 'sheet' | 'list' | 'none'
}

/** Before a tab that was scrolled to, so that the one before it shows. */
const edge = 48

const insets = {
  screen: 'screen-x gap-5',
  sheet: 'px-5 gap-5',
  list: 'px-4 gap-4',
  none: '-mx-1.5 gap-5 px-1.5',
} as const

export function Tabs<Value extends string>({
  label,
  items,
  value,
  onValueChange,
  children,
  inset = 'screen',
}: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  // On phones the row of tabs scrolls.
  useLayoutEffect(() => {
    const row = list.current
    const chosen = row?.querySelector<HTMLElement>('[data-state=active]')
    if (!row || !chosen) return
    const [frame, box] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
    if (box.left < frame.left || box.right > frame.right) row.scrollLeft += box.left - frame.left - edge
  }, [value])
  // Tabs without a panel of their own control the page's content.
  const ownPanel = children === undefined ? { 'aria-controls': undefined } : {}
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const chosen = items.find((item) => item.value === next)
        if (chosen) onValueChange(chosen.value)
      }}
      className="contents"
    >
      <Primitive.List
        ref={list}
        aria-label={label}
        className={clsx('scrollbar-none flex shrink-0 overflow-x-auto border-b border-border', insets[inset])}
      >
        {items.map((item) => (
          <Primitive.Trigger
            key={item.value}
            value={item.value}
            onFocus={ignoreWhenLedBack}
            {...ownPanel}
            className="relative -mx-1.5 flex h-10 shrink-0 items-center rounded-sm px-1.5 focus-visible:-outline-offset-2 gap-1.5 font-medium whitespace-nowrap text-muted-foreground after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.5 after:rounded-t-full hover:text-foreground data-[state=active]:text-foreground data-[state=active]:after:bg-brand max-md:h-11"
          >
            {item.label}
            {item.count === undefined ? null : (
              <span className="text-caption font-normal text-muted-foreground tabular-nums">
                {typeof item.count === 'number' ? formatCount(item.count) : item.count}
              </span>
            )}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children === undefined ? null : (
        <Primitive.Content value={value} className="flex min-h-0 flex-1 flex-col focus-visible:-outline-offset-2">
          {children}
        </Primitive.Content>
      )}
    </Primitive.Root>
  )
}
