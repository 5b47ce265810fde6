import { useId, type ReactNode } from 'react'
import { FieldMessage } from './field.tsx'
import { EditableTitle, MobileRail, Rail, SaveMark, type SaveState } from './wizard-frame.tsx'

type BuilderFrameProps = {
  name: string
  onRename?: (name: string) => void
  nameError?: string | undefined
  /** A status pill, a language. */
  badge?: ReactNode
  save?: SaveState
  /** Save and submit. */
  actions: ReactNode
  /** Phone and checks. */
  rail: ReactNode
  railLabel: string
  children: ReactNode
}

/** An editor beside the phone and its checks; fills the window like the wizard. */
export function BuilderFrame({
  name,
  onRename,
  nameError,
  badge,
  save,
  actions,
  rail,
  railLabel,
  children,
}: BuilderFrameProps) {
  const errorId = useId()
  return (
    <div data-full-height className="flex flex-1 flex-col lg:h-[calc(100dvh-56px)] lg:min-h-0 lg:flex-none">
      <div className="grid flex-1 lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_300px] xl:grid-cols-[minmax(0,1fr)_360px]">
        <div className="scrollbar-none relative min-w-0 pb-8 screen-x lg:overflow-y-auto">
          <div className="max-w-[776px]">
            <header className="sticky top-14 z-6 -mx-4 flex h-14 items-center gap-1 bg-background px-4 md:-mx-6 md:px-6 lg:top-0">
              <EditableTitle name={name} errorId={nameError && errorId} {...(onRename ? { onRename } : {})} />
              {badge ? <span className="ml-2 max-md:hidden">{badge}</span> : null}
              <div className="ml-auto flex items-center gap-2">
                {save ? <SaveMark save={save} /> : null}
                {actions}
              </div>
            </header>
            {nameError ? (
              <div className="mb-4">
                <FieldMessage id={errorId} text={nameError} />
              </div>
            ) : null}
            {children}
          </div>
        </div>
        <Rail>{rail}</Rail>
      </div>
      <MobileRail label={railLabel}>{rail}</MobileRail>
    </div>
  )
}
