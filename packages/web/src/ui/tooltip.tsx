import { tooltips } from '../lib/constants.ts'
import { Tooltip as Primitive } from 'radix-ui'
import { useEffect, type ReactNode } from 'react'
import { Keys } from './kbd.tsx'
import { ignoreWhenLedBack, watchFocus } from './return-focus.ts'

/** Mounted once at the root: tooltip delays and focus tracking. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  useEffect(() => watchFocus(), [])
  return (
    <Primitive.Provider
      delayDuration={tooltips.delayMs}
      skipDelayDuration={tooltips.skipDelayMs}
      disableHoverableContent
    >
      {children}
    </Primitive.Provider>
  )
}

type TooltipProps = {
  label: ReactNode
  keys?: readonly string[]
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}

export function Tooltip({ label, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild onFocus={ignoreWhenLedBack}>
        {children}
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex min-h-7 max-w-80 animate-fade-in items-center gap-1.5 rounded-md bg-primary px-2 py-1 text-caption text-primary-foreground"
        >
          {label}
          {keys ? (
            <Keys
              names={keys}
              className="border-transparent! bg-[color-mix(in_oklab,var(--primary-foreground)_18%,transparent)]! text-inherit!"
            />
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
