import clsx from 'clsx'
import { Check, Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatTime } from '../lib/format.ts'
import { Button, IconButton } from './button.tsx'
import { Sheet } from './sheet.tsx'
import { Spinner } from './spinner.tsx'
import { Stepper, type Step } from './stepper.tsx'

export type SaveState =
  | { state: 'saved'; at: number | string }
  | { state: 'saving' }
  | { state: 'failed' }
  | { state: 'none' }

type WizardFrameProps<Id extends string> = {
  name: string
  onRename?: (name: string) => void
  save: SaveState
  onExit: () => void
  /** Next to 'Save and exit'. */
  headActions?: ReactNode
  steps: readonly Step<Id>[]
  current: Id
  onStep: (id: Id) => void
  /** Phone preview with scrubber; on small screens opened from a strip. */
  rail: ReactNode
  /** Label of the strip: 'Preview · Priya'. */
  railLabel: string
  /** Below it: row, parts and price. */
  railCaption?: string | undefined
  /** Cost bar with buttons. */
  foot: ReactNode
  children: ReactNode
}

/** Full-window wizard: form and rail scroll separately, the foot is fixed. Must be a direct child of a screen. */
export function WizardFrame<Id extends string>(props: WizardFrameProps<Id>) {
  const {
    name,
    onRename,
    save,
    onExit,
    headActions,
    steps,
    current,
    onStep,
    rail,
    railLabel,
    railCaption,
    foot,
    children,
  } = props
  return (
    <div data-full-height className="flex flex-1 flex-col lg:h-[calc(100dvh-56px)] lg:min-h-0 lg:flex-none">
      <div className="grid flex-1 lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_300px] xl:grid-cols-[minmax(0,1fr)_360px]">
        <div className="scrollbar-none relative min-w-0 pb-6 screen-x lg:overflow-y-auto">
          <div className="max-w-[728px]">
            <header className="sticky top-14 z-6 -mx-4 flex h-14 items-center gap-1 bg-background px-4 md:-mx-6 md:px-6 lg:top-0">
              <EditableTitle name={name} {...(onRename ? { onRename } : {})} />
              <div className="ml-auto flex items-center gap-2">
                <SaveMark save={save} />
                {headActions}
                <Button size="sm" onClick={onExit}>
                  <span className="max-md:hidden">Save and exit</span>
                  <span className="md:hidden">Exit</span>
                </Button>
              </div>
            </header>
            <Stepper steps={steps} current={current} onStep={onStep} />
            <div className="mt-4">{children}</div>
          </div>
        </div>
        <Rail>{rail}</Rail>
      </div>
      <MobileRail label={railLabel} caption={railCaption} hasFoot>
        {rail}
      </MobileRail>
      {foot}
    </div>
  )
}

export function Rail({ children }: { children: ReactNode }) {
  return (
    <aside
      aria-label="Preview"
      className="scrollbar-none relative flex flex-col items-center overflow-y-auto border-l border-border bg-sunken px-5 pt-3.5 pb-4 max-lg:hidden"
    >
      {children}
    </aside>
  )
}

type MobileRailProps = {
  label: string
  caption?: string | undefined
  /** The strip is above a cost bar. */
  hasFoot?: boolean
  children: ReactNode
}

/** Below 1024 px the rail is a strip above the foot that opens a sheet. */
export function MobileRail({ label, caption, hasFoot = false, children }: MobileRailProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={clsx(
          'sticky z-10 flex h-14 items-center gap-3 border-t border-border bg-card pr-3 pl-4 text-left lg:hidden',
          hasFoot ? 'bottom-[calc(110px+env(safe-area-inset-bottom))] md:bottom-15' : 'bottom-0 mt-auto',
        )}
      >
        <span
          aria-hidden
          className="flex h-10 w-6.5 flex-col gap-0.5 self-end rounded-t-md border-2 border-b-0 border-[#17191c] bg-white px-[3px] pt-2 dark:border-[#4a5158] dark:bg-black"
        >
          <span className="h-0.75 rounded-full bg-[#c9ccd1] dark:bg-[#3c4046]" />
          <span className="h-0.75 w-3/5 rounded-full bg-[#c9ccd1] dark:bg-[#3c4046]" />
        </span>
        <span className="min-w-0 flex-1">
          <b className="block truncate leading-4.5">{label}</b>
          {caption ? (
            <small className="block truncate text-caption text-muted-foreground tabular-nums">{caption}</small>
          ) : null}
        </span>
        <span className="text-dense text-muted-foreground">Show</span>
      </button>
      <Sheet open={open} onOpenChange={setOpen} title={label}>
        <div className="flex flex-col items-center p-5">{children}</div>
      </Sheet>
    </>
  )
}

export function SaveMark({ save }: { save: SaveState }) {
  return (
    <span
      role="status"
      className="flex items-center gap-1.5 text-caption whitespace-nowrap text-muted-foreground tabular-nums"
    >
      <SaveStatus save={save} />
    </span>
  )
}

function SaveStatus({ save }: { save: SaveState }) {
  switch (save.state) {
    case 'none':
      return null
    case 'saving':
      return (
        <>
          <Spinner className="size-3.5!" />
          <span className="max-md:sr-only lg:max-xl:sr-only">Saving…</span>
        </>
      )
    case 'failed':
      return <span className="text-danger-text">Not saved</span>
    case 'saved':
      return (
        <>
          <Check aria-hidden className="size-3.5" />
          <span className="max-md:sr-only lg:max-xl:sr-only">Draft saved {formatTime(save.at)}</span>
        </>
      )
  }
}

type EditableTitleProps = {
  name: string
  onRename?: (name: string) => void
  /** Id of the name's error; then the field is shown, empty. */
  errorId?: string | undefined
}

/** A title that becomes a field for editing. */
export function EditableTitle({ name, onRename, errorId }: EditableTitleProps) {
  const [draft, setDraft] = useState<string>()
  if (draft === undefined && errorId === undefined) {
    return (
      <>
        <h1 tabIndex={-1} title={name} className="min-w-0 truncate text-title font-semibold outline-none">
          {name}
        </h1>
        {onRename ? (
          <IconButton label="Rename" size="sm" onClick={() => setDraft(name)}>
            <Pencil aria-hidden />
          </IconButton>
        ) : null}
      </>
    )
  }

  function settle(keep: boolean) {
    const next = draft?.trim()
    if (keep && next && next !== name) onRename?.(next)
    setDraft(undefined)
  }

  return (
    <>
      <h1 className="sr-only">{name}</h1>
      <input
        aria-label="Name"
        autoFocus
        maxLength={120}
        value={draft ?? ''}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => settle(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle(true)
          if (event.key === 'Escape') settle(false)
        }}
        {...(errorId ? { 'aria-invalid': true, 'aria-describedby': errorId, placeholder: 'Name' } : {})}
        className="mr-2 h-9 w-full max-w-90 min-w-0 rounded-md border border-input bg-card px-2 text-title font-semibold focus-visible:-outline-offset-1 aria-[invalid=true]:border-destructive"
      />
    </>
  )
}
