import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyProps = {
  icon: LucideIcon
  /** Replaces the icon on first use of a screen. */
  picture?: ReactNode
  title: ReactNode
  children?: ReactNode
  /** One action, and at most one secondary one. */
  actions?: ReactNode
}

/** Empty state with the next action. */
export function Empty({ icon: Icon, picture, title, children, actions }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      {picture ? (
        <div className="mb-4">{picture}</div>
      ) : (
        <span className="mb-3 grid size-10 place-items-center rounded-lg bg-secondary text-muted-foreground">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
      <h2 className="text-section font-semibold">{title}</h2>
      {children ? <p className="max-w-[44ch] text-muted-foreground">{children}</p> : null}
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  )
}
