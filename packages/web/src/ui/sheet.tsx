import { Dialog as Primitive } from 'radix-ui'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { focusFirstField } from './first-focus.ts'
import { scrim } from './dialog.tsx'
import { returnToOpener } from './return-focus.ts'

type SheetProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** Accessible name, if the title is more than text. */
  name?: string
  /** Beside the title, before the close button. */
  actions?: ReactNode
  footer?: ReactNode
  /** A peek leaves the page usable: no overlay, no scroll lock. */
  modal?: boolean
  width?: 'normal' | 'wide'
  /** A sheet to read focuses itself, although it contains fields. */
  isToRead?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  /** The row the sheet showed last, which gets the focus back. */
  findRow?: () => HTMLElement | null
  children: ReactNode
}

/** A panel from the right, or from the bottom on phones. */
export function Sheet({
  open,
  onOpenChange,
  title,
  name,
  actions,
  footer,
  modal = true,
  width = 'normal',
  isToRead = false,
  onKeyDown,
  findRow,
  children,
}: SheetProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange} modal={modal}>
      <Primitive.Portal>
        {modal ? <Primitive.Overlay className={clsx(scrim, 'z-40')} /> : null}
        <Primitive.Content
          aria-describedby={undefined}
          aria-label={name}
          data-non-modal={modal ? undefined : ''}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={modal && !isToRead ? focusFirstField : focusItself}
          onCloseAutoFocus={(event) => returnToOpener(event, findRow?.())}
          {...(modal ? {} : { onInteractOutside: (event: Event) => event.preventDefault() })}
          className={clsx(
            'fixed inset-y-0 right-0 z-45 flex w-120 max-w-full animate-sheet-in flex-col bg-card text-card-foreground shadow-3 outline-none data-[state=closed]:animate-sheet-out dark:bg-popover',
            'max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:max-h-[88dvh] max-md:w-full max-md:animate-rise-in max-md:rounded-t-xl',
            width === 'wide' && 'md:w-180',
            // On phones a peek covers most of the page: the rest is dimmed, and stays usable.
            !modal && 'max-md:shadow-[0_0_0_100vmax_color-mix(in_oklab,var(--overlay)_36%,transparent)]',
          )}
        >
          <span aria-hidden className="mx-auto mt-2 -mb-1 h-1 w-9 shrink-0 rounded-full bg-border md:hidden" />
          <div className="flex h-14 shrink-0 items-center gap-2 border-b border-border pr-3 pl-5">
            <Primitive.Title className="flex min-w-0 flex-1 items-center gap-2 text-section font-semibold">
              {title}
            </Primitive.Title>
            {actions}
            <Primitive.Close asChild>
              <IconButton label="Close" size="sm" keys={['Esc']}>
                <X />
              </IconButton>
            </Primitive.Close>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">{children}</div>
          {footer ? (
            <div data-foot className="flex shrink-0 items-center gap-2 border-t border-border px-5 py-3">
              {footer}
            </div>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** A peek focuses itself: its first button would open a tooltip over the content. */
function focusItself(event: Event) {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
