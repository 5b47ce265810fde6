import { ContextMenu as ContextPrimitive, DropdownMenu as Primitive } from 'radix-ui'
import clsx from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Keys } from './kbd.tsx'

export type MenuItem =
  | {
      label: string
      icon?: LucideIcon
      /** Of choices that are kept: whether it is the present one. */
      isCurrent?: boolean
      onSelect: () => void
      keys?: readonly string[]
      destructive?: boolean
      /** Why it is disabled; the item stays focusable. */
      disabled?: string | undefined
    }
  | 'separator'

const panel =
  'z-50 min-w-52 animate-pop-in rounded-lg bg-popover p-1 text-popover-foreground shadow-2 outline-none data-[state=closed]:animate-fade-out'
const line =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 whitespace-nowrap outline-none select-none data-[highlighted]:bg-accent aria-disabled:text-muted-foreground pointer-coarse:min-h-11 [&>svg]:size-4'

type MenuProps = {
  trigger: ReactNode
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  header?: ReactNode
  label?: string
}

/**
 * A button's menu in a landmark of its own; the page stays accessible while it is open. The same items serve as context menu
 * through `ContextMenu`.
 */
export function Menu({ trigger, items, align = 'end', side = 'bottom', header, label }: MenuProps) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <section aria-label={label ?? 'Menu'}>
          <Primitive.Content
            align={align}
            side={side}
            sideOffset={4}
            collisionPadding={8}
            aria-label={label}
            className={panel}
          >
            {header}
            {items.map((item, index) =>
              item === 'separator' ? (
                <Primitive.Separator key={`line-${index}`} className="-mx-1 my-1 h-px bg-border" />
              ) : (
                <Primitive.Item
                  key={item.label}
                  aria-disabled={item.disabled !== undefined}
                  onSelect={selectOf(item)}
                  className={lineOf(item)}
                >
                  <MenuLine item={item} />
                </Primitive.Item>
              ),
            )}
          </Primitive.Content>
        </section>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

export function ContextMenu({ items, children }: { items: readonly MenuItem[]; children: ReactNode }) {
  return (
    <ContextPrimitive.Root modal={false}>
      <ContextPrimitive.Trigger asChild>{children}</ContextPrimitive.Trigger>
      <ContextPrimitive.Portal>
        <section aria-label="Menu">
          <ContextPrimitive.Content collisionPadding={8} className={panel}>
            {items.map((item, index) =>
              item === 'separator' ? (
                <ContextPrimitive.Separator key={`line-${index}`} className="-mx-1 my-1 h-px bg-border" />
              ) : (
                <ContextPrimitive.Item
                  key={item.label}
                  aria-disabled={item.disabled !== undefined}
                  onSelect={selectOf(item)}
                  className={lineOf(item)}
                >
                  <MenuLine item={item} />
                </ContextPrimitive.Item>
              ),
            )}
          </ContextPrimitive.Content>
        </section>
      </ContextPrimitive.Portal>
    </ContextPrimitive.Root>
  )
}

/** A disabled item stays focusable, so that its reason can be read; selecting it does nothing. */
function selectOf(item: Exclude<MenuItem, 'separator'>) {
  return (event: Event) => {
    if (item.disabled === undefined) item.onSelect()
    else event.preventDefault()
  }
}

function lineOf(item: Exclude<MenuItem, 'separator'>): string {
  return clsx(line, item.destructive ? 'text-danger-text' : '[&>svg]:text-muted-foreground')
}

function MenuLine({ item }: { item: Exclude<MenuItem, 'separator'> }) {
  const { icon: Icon, label, keys, disabled, isCurrent } = item
  return (
    <>
      {Icon ? <Icon aria-hidden /> : null}
      {isCurrent === undefined ? null : <Check aria-hidden className={isCurrent ? undefined : 'invisible'} />}
      <span className="flex-1 truncate">
        {label}
        {disabled ? <small className="block text-caption text-muted-foreground">{disabled}</small> : null}
      </span>
      {isCurrent ? <span className="sr-only">(selected)</span> : null}
      {keys ? <Keys names={keys} className="pointer-coarse:hidden" /> : null}
    </>
  )
}
