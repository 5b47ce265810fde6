import clsx from 'clsx'
import { useId, useState, type MouseEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useIsMobile } from '../lib/use-is-mobile.ts'
import { FieldMessage } from './field.tsx'
import { Tabs } from './tabs.tsx'
import { EditableTitle, MobileRail, Rail, SaveMark, type SaveState } from './wizard-frame.tsx'

type BuilderFrameProps = {
  name: string
  onRename?: (name: string) => void
  nameError?: string | undefined
  /** A status pill, a language. */
  badge?: ReactNode
  save?: SaveState
  /** Save and submit; a bottom bar on phones. */
  actions: ReactNode
  /** Preview of the message on the recipient's phone. */
  preview: ReactNode
  checks: ReactNode
  /** Number of open checks, shown on the tab on phones. */
  openChecks: number
  children: ReactNode
}

type View = 'edit' | 'preview' | 'checks'

/** Full-window editor with phone preview and checks; on phones, three tabs. */
export function BuilderFrame(props: BuilderFrameProps) {
  const { name, onRename, nameError, badge, save, actions, preview, checks, openChecks, children } = props
  const errorId = useId()
  const isMobile = useIsMobile()
  const [chosen, setView] = useState<View>('edit')
  const view = isMobile ? chosen : 'edit'
  return (
    <div data-full-height className="flex flex-1 flex-col lg:h-[calc(100dvh-56px)] lg:min-h-0 lg:flex-none">
      <div className="grid flex-1 lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_300px] xl:grid-cols-[minmax(0,1fr)_360px]">
        <div className="scrollbar-none relative min-w-0 pb-8 screen-x max-md:pb-24 lg:overflow-y-auto">
          <div className="max-w-[776px]">
            <Head
              {...{ name, onRename, badge, save, actions, errorId: nameError && errorId }}
              onPress={() => setView('edit')}
            />
            {isMobile ? <ViewTabs view={view} onView={setView} openChecks={openChecks} /> : null}
            {nameError ? (
              <div className="mb-4">
                <FieldMessage id={errorId} text={nameError} />
              </div>
            ) : null}
            <div className={clsx(view !== 'edit' && 'hidden')}>{children}</div>
            {isMobile ? <Turns view={view} preview={preview} checks={checks} onEdit={() => setView('edit')} /> : null}
          </div>
        </div>
        {isMobile ? null : (
          <Rail>
            {preview}
            {checks}
          </Rail>
        )}
      </div>
      {isMobile ? null : (
        <MobileRail label="Preview and checks">
          {preview}
          {checks}
        </MobileRail>
      )}
    </div>
  )
}

type HeadProps = Pick<BuilderFrameProps, 'name' | 'badge' | 'actions'> & {
  onRename: BuilderFrameProps['onRename'] | undefined
  save: SaveState | undefined
  errorId: string | undefined
  onPress: () => void
}

function Head({ name, onRename, badge, save, actions, errorId, onPress }: HeadProps) {
  return (
    <header className="sticky top-14 z-6 -mx-4 flex min-h-14 items-center gap-x-1 gap-y-2 bg-background px-4 py-2 md:-mx-6 md:px-6 lg:top-0 lg:max-xl:flex-wrap">
      <div className="flex max-w-full min-w-0 flex-auto items-center gap-1">
        <EditableTitle name={name} errorId={errorId} {...(onRename ? { onRename } : {})} />
        {badge ? <span className="ml-2 max-md:hidden">{badge}</span> : null}
      </div>
      <div className="ml-auto flex items-center gap-2">
        {save ? <SaveMark save={save} /> : null}
        <Actions onPress={onPress}>{actions}</Actions>
      </div>
    </header>
  )
}

type TurnsProps = Pick<BuilderFrameProps, 'preview' | 'checks'> & { view: View; onEdit: () => void }

/** Replaces the editor on phones; all stay mounted, so that a press can focus a field. */
function Turns({ view, preview, checks, onEdit }: TurnsProps) {
  return (
    <div onClickCapture={(event) => leadBack(event, onEdit)}>
      <div className={clsx('justify-center pt-1', view === 'preview' ? 'flex' : 'hidden')}>{preview}</div>
      <div className={clsx('mx-1 -mt-8 flex-col items-center', view === 'checks' ? 'flex' : 'hidden')}>{checks}</div>
    </div>
  )
}

/** Switches back to the editor before a field is focused. */
function leadBack(event: MouseEvent, show: () => void) {
  const leads =
    event.target instanceof Element && event.target.closest('figure button:not([data-stays]), [data-leads-to-field]')
  if (leads) flushSync(show)
}

/** Saving switches back to the editor, where errors are shown. */
function Actions({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <div
      onClickCapture={onPress}
      className="flex items-center gap-2 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:border-border max-md:bg-background max-md:px-4 max-md:pt-3 max-md:pb-[calc(12px+env(safe-area-inset-bottom))] max-md:[&_button]:h-12 max-md:[&_button]:shrink-0 max-md:[&_button:last-child]:flex-1 max-md:[&_button]:text-body"
    >
      {children}
    </div>
  )
}

type ViewTabsProps = { view: View; onView: (view: View) => void; openChecks: number }

function ViewTabs({ view, onView, openChecks }: ViewTabsProps) {
  return (
    <div className="sticky top-28 z-5 -mx-4 mb-4 bg-background">
      <Tabs
        label="Template"
        value={view}
        onValueChange={onView}
        items={[
          { value: 'edit', label: 'Edit' },
          { value: 'preview', label: 'Preview' },
          { value: 'checks', label: 'Checks', count: openChecks > 0 ? openChecks : undefined },
        ]}
      />
    </div>
  )
}
