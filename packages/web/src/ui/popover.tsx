import { Popover as Primitive } from 'radix-ui'
import clsx from 'clsx'
import type { ReactNode } from 'react'

type PopoverProps = {
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  /** Names the panel. */
  label: string
  className?: string
}

export function Popover({ trigger, children, open, onOpenChange, align = 'start', label, className }: PopoverProps) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={clsx(
            'z-50 origin-(--radix-popover-content-transform-origin) animate-pop-in rounded-lg bg-popover text-popover-foreground shadow-2 outline-none data-[state=closed]:animate-fade-out',
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
