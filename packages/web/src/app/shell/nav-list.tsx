import clsx from 'clsx'
import { ChevronRight, Lock } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { navigationOf, type NavItem } from './navigation.ts'
import { useModules } from './use-account.ts'
import { useAreaPath } from './use-area-path.ts'

type NavListProps = { onRestricted: (label: string) => void; onNavigate?: () => void }

export function NavList({ onRestricted, onNavigate }: NavListProps) {
  const user = useUser()
  const items = user ? navigationOf(user.type) : []
  const groups = [undefined, 'Settings'] as const
  return (
    <nav aria-label="Main" className="scrollbar-none flex flex-1 flex-col gap-px overflow-y-auto px-2 pt-1 pb-3">
      {groups.map((group) => {
        const members = items.filter((item) => item.group === group)
        if (members.length === 0) return null
        return (
          <Fragment key={group ?? 'main'}>
            {group ? <p className="px-2 pt-4 pb-1 text-caption font-medium text-muted-foreground icons:hidden">{group}</p> : null}
            {members.map((item) => (
              <NavEntry key={item.label} item={item} onRestricted={onRestricted} {...(onNavigate ? { onNavigate } : {})} />
            ))}
          </Fragment>
        )
      })}
    </nav>
  )
}

const line =
  'relative flex h-8 w-full items-center gap-2 rounded-md px-2 text-left whitespace-nowrap hover:bg-sidebar-accent hover:text-sidebar-accent-foreground aria-[current=page]:bg-brand-muted aria-[current=page]:font-medium aria-[current=page]:text-brand-text aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:left-0 aria-[current=page]:before:w-0.5 aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-brand max-md:h-11'

type NavEntryProps = NavListProps & { item: NavItem }

function NavEntry({ item, onRestricted, onNavigate }: NavEntryProps) {
  const path = useAreaPath()
  const isPermitted = useModules()(item.module)
  const within = item.path === '' ? path === '' : path === item.path || path.startsWith(`${item.path}/`)
  const [opened, setOpened] = useState<boolean>()
  const isOpen = item.children !== undefined && (opened ?? within)
  const { icon: Icon, label } = item
  const inside = (
    <>
      <Icon aria-hidden className="size-4 text-muted-foreground in-aria-[current=page]:text-brand-text" />
      <span className="min-w-0 flex-1 truncate icons:sr-only">{label}</span>
    </>
  )

  if (!isPermitted) {
    return (
      <NavTip label={label}>
        <button type="button" className={line} onClick={() => onRestricted(label)}>
          {inside}
          <Lock aria-hidden className="size-3.5 text-muted-foreground icons:hidden" />
          <span className="sr-only">(restricted)</span>
        </button>
      </NavTip>
    )
  }

  const active = within && (item.children === undefined || !isOpen)
  return (
    <>
      <div className="relative flex">
        <NavTip label={label}>
          <AreaLink
            to={item.path}
            aria-current={active || (within && path === item.path && !hasChildAt(item, path)) ? 'page' : undefined}
            onClick={onNavigate}
            className={clsx(line, within && 'icons:bg-brand-muted icons:[&>svg]:text-brand-text', item.children && 'pr-9')}
          >
            {inside}
          </AreaLink>
        </NavTip>
        {item.children ? (
          <button
            type="button"
            aria-label={`${isOpen ? 'Close' : 'Open'} ${label}`}
            aria-expanded={isOpen}
            onClick={() => setOpened(!isOpen)}
            className="absolute inset-y-0 right-1 grid w-7 place-items-center rounded-md text-muted-foreground hover:text-foreground icons:hidden"
          >
            <ChevronRight aria-hidden className={clsx('size-3.5 transition-transform duration-120', isOpen && 'rotate-90')} />
          </button>
        ) : null}
      </div>
      {isOpen ? <NavChildren item={item} path={path} {...(onNavigate ? { onNavigate } : {})} /> : null}
    </>
  )
}

function hasChildAt(item: NavItem, path: string): boolean {
  return item.children?.some((child) => child.path === path) === true
}

function NavChildren({ item, path, onNavigate }: { item: NavItem; path: string; onNavigate?: () => void }) {
  return (
    <ul className="mt-px mb-1 ml-[15px] flex flex-col gap-px border-l border-sidebar-border pl-2 icons:hidden">
      {item.children?.map((child) => (
        <li key={child.path}>
          <AreaLink
            to={child.path}
            aria-current={path === child.path ? 'page' : undefined}
            onClick={onNavigate}
            className={clsx(line, 'h-7! text-dense aria-[current=page]:before:inset-y-1.5! aria-[current=page]:before:-left-[9px]! max-md:h-11!')}
          >
            {child.label}
          </AreaLink>
        </li>
      ))}
    </ul>
  )
}

/** The label as a tooltip, useful only where the sidebar shows icons; it repeats what is read anyway. */
function NavTip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Tooltip label={label} side="right">
      {children}
    </Tooltip>
  )
}
