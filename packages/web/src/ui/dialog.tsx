import { AlertDialog as AlertPrimitive, Dialog as Primitive } from 'radix-ui'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { focusFirstField } from './first-focus.ts'
import { returnToOpener } from './return-focus.ts'

export const scrim = 'fixed inset-0 bg-scrim animate-fade-in data-[state=closed]:animate-fade-out'
/** Dialogs opened from a sheet cover the sheet. */
const overSheets = 'z-50'

const box =
  'fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-1/2 flex-col overflow-hidden rounded-xl bg-popover text-popover-foreground shadow-3 outline-none animate-fade-in data-[state=closed]:animate-fade-out'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** 400 px by default, the maximum of confirmations. */
  width?: 'small' | 'medium' | 'large' | 'palette'
  children?: ReactNode
  /** Buttons, at the foot. */
  footer?: ReactNode
}

const widths = {
  small: 'max-w-100',
  medium: 'max-w-140',
  large: 'max-w-190',
  palette: 'top-[15vh]! max-w-160 -translate-y-0!',
} as const

/** Other sizes have a cancel button, or close on selection. */
const closable: readonly string[] = ['medium', 'large']

export function Dialog({ open, onOpenChange, title, description, width = 'small', children, footer }: DialogProps) {
  const hasClose = closable.includes(width)
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={clsx(scrim, overSheets)} />
        <Primitive.Content
          className={clsx(box, widths[width])}
          {...(hasClose ? { onOpenAutoFocus: focusFirstField } : {})}
          onCloseAutoFocus={returnToOpener}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header
            className={clsx(
              'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-1.5 px-5 pt-5',
              width === 'palette' && 'sr-only',
            )}
          >
            <Primitive.Title className="text-section font-semibold">{title}</Primitive.Title>
            {hasClose ? (
              <Primitive.Close asChild>
                <IconButton label="Close" size="sm" className="-mt-1 -mr-2 -mb-2">
                  <X />
                </IconButton>
              </Primitive.Close>
            ) : null}
            {description ? (
              <Primitive.Description className="col-span-full text-muted-foreground">
                {description}
              </Primitive.Description>
            ) : null}
          </header>
          {children ? (
            <div className={clsx('min-h-0 overflow-y-auto', width !== 'palette' && 'px-5 pt-4 pb-1')}>{children}</div>
          ) : null}
          {footer ? <footer className="flex justify-end gap-2 p-5">{footer}</footer> : null}
          {footer || width === 'palette' ? null : <div className="h-5" />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Names the object and the effect. */
  description: ReactNode
  /** Verb and object: 'Discard campaign'. */
  action: string
  onConfirm: () => void
  cancel?: string
  destructive?: boolean
  loading?: boolean
  /** Disables the action; the content explains why. */
  disabled?: boolean
  children?: ReactNode
}

/** Confirms an irreversible action; the focus starts on the safe button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    action,
    onConfirm,
    cancel = 'Cancel',
    destructive,
    loading,
    disabled,
    children,
  } = props
  return (
    <AlertPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <AlertPrimitive.Portal>
        <AlertPrimitive.Overlay className={clsx(scrim, overSheets)} />
        <AlertPrimitive.Content className={clsx(box, widths.small)} onCloseAutoFocus={returnToOpener}>
          <div className="flex flex-col gap-1.5 px-5 pt-5">
            <AlertPrimitive.Title className="text-section font-semibold">{title}</AlertPrimitive.Title>
            <AlertPrimitive.Description className="text-muted-foreground">{description}</AlertPrimitive.Description>
          </div>
          {children ? <div className="px-5 pt-4">{children}</div> : null}
          <footer className="flex justify-end gap-2 p-5">
            <AlertPrimitive.Cancel asChild>
              <Button>{cancel}</Button>
            </AlertPrimitive.Cancel>
            <Button
              variant={destructive ? 'destructive' : 'primary'}
              {...(loading === undefined ? {} : { loading })}
              disabled={disabled}
              onClick={onConfirm}
            >
              {action}
            </Button>
          </footer>
        </AlertPrimitive.Content>
      </AlertPrimitive.Portal>
    </AlertPrimitive.Root>
  )
}

type MustAnswerDialogProps = { open: boolean; title: string; description: string; action: string; onAnswer: () => void }

/** A dialog with a single answer; not closed by Escape or outside clicks. */
export function MustAnswerDialog({ open, title, description, action, onAnswer }: MustAnswerDialogProps) {
  return (
    <AlertPrimitive.Root open={open}>
      <AlertPrimitive.Portal>
        <AlertPrimitive.Overlay className={clsx(scrim, 'z-70')} />
        <AlertPrimitive.Content
          className={clsx(box, widths.small, 'z-80')}
          onEscapeKeyDown={(event) => event.preventDefault()}
        >
          <div className="flex flex-col gap-1.5 px-5 pt-5">
            <AlertPrimitive.Title className="text-section font-semibold">{title}</AlertPrimitive.Title>
            <AlertPrimitive.Description className="text-muted-foreground">{description}</AlertPrimitive.Description>
          </div>
          <footer className="flex justify-end p-5">
            <Button variant="primary" autoFocus onClick={onAnswer}>
              {action}
            </Button>
          </footer>
        </AlertPrimitive.Content>
      </AlertPrimitive.Portal>
    </AlertPrimitive.Root>
  )
}
