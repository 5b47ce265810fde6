import clsx from 'clsx'
import { ChevronRight, LifeBuoy, Lock, MessageSquareHeart } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { useUser } from '../../lib/session.ts'
import { openSupport } from '../../lib/support.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { isWithin, navigationOf, type NavItem } from './navigation.ts'
import { useModules } from './use-account.ts'
import { useAreaPath } from './use-area-path.ts'
import { useUnreadConversations } from './unread-conversations.ts'

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
            {group ? (
              <p className="px-2 pt-4 pb-1 text-caption font-medium text-muted-foreground icons:hidden">{group}</p>
            ) : null}
            {members.map((item) => (
              <NavEntry
                key={item.label}
                item={item}
                onRestricted={onRestricted}
                {...(onNavigate ? { onNavigate } : {})}
              />
            ))}
          </Fragment>
        )
      })}
      {user?.type === 'admin' || user?.type === 'reseller' ? (
        <HelpEntries {...(onNavigate ? { onNavigate } : {})} />
      ) : null}
    </nav>
  )
}

const line =
  'relative flex h-8 w-full items-center gap-2 rounded-md px-2 text-left whitespace-nowrap hover:bg-sidebar-accent hover:text-sidebar-accent-foreground aria-[current=page]:bg-brand-muted aria-[current=page]:font-medium aria-[current=page]:text-brand-text aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:left-0 aria-[current=page]:before:w-0.5 aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-brand max-md:h-11'

/** Items that open panels; admins and resellers have them at the foot of the sidebar. */
function HelpEntries({ onNavigate }: { onNavigate?: () => void }) {
  const entries = [
    { label: 'Support', icon: LifeBuoy, panel: { kind: 'requests' } as const },
    { label: 'Feedback', icon: MessageSquareHeart, panel: { kind: 'feedback' } as const },
  ]
  return (
    <div className="mt-auto flex flex-col gap-px pt-4">
      {entries.map(({ label, icon, panel }) => (
        <NavTip key={label} label={label}>
          <button
            type="button"
            className={line}
            onClick={() => {
              onNavigate?.()
              openSupport(panel)
            }}
          >
            <NavLabel item={{ label, icon }} />
          </button>
        </NavTip>
      ))}
    </div>
  )
}

type NavEntryProps = NavListProps & { item: NavItem }

function NavEntry(props: NavEntryProps) {
  const isPermitted = useModules()(props.item.module)
  return isPermitted ? <OpenEntry {...props} /> : <LockedEntry {...props} />
}

/** An item whose module is not permitted stays visible and explains so when selected. */
function LockedEntry({ item, onRestricted }: NavEntryProps) {
  return (
    <NavTip label={item.label}>
      <button type="button" className={line} onClick={() => onRestricted(item.label)}>
        <NavLabel item={item} />
        <Lock aria-hidden className="size-3.5 text-muted-foreground icons:hidden" />
        <span className="sr-only">(restricted)</span>
      </button>
    </NavTip>
  )
}

function OpenEntry({ item, onNavigate }: NavEntryProps) {
  const path = useAreaPath()
  const isHere = isWithin(path, item)
  const [opened, setOpened] = useState<boolean>()
  const isOpen = item.children !== undefined && (opened ?? isHere)
  // An expanded parent is marked as current only if none of its children is.
  const childIsCurrent = isOpen && item.children?.some((child) => child.path === path)
  return (
    <>
      <div className="relative flex">
        <NavTip label={item.label}>
          <AreaLink
            to={item.path}
            aria-current={isHere && !childIsCurrent ? 'page' : undefined}
            onClick={onNavigate}
            className={clsx(
              line,
              isHere && 'icons:bg-brand-muted icons:[&>svg]:text-brand-text',
              item.children && 'pr-9',
            )}
          >
            <NavLabel item={item} />
          </AreaLink>
        </NavTip>
        {item.children ? <Opener label={item.label} isOpen={isOpen} onToggle={() => setOpened(!isOpen)} /> : null}
      </div>
      {isOpen ? <NavChildren item={item} path={path} {...(onNavigate ? { onNavigate } : {})} /> : null}
    </>
  )
}

function NavLabel({ item }: { item: Pick<NavItem, 'icon' | 'label' | 'showsUnread'> }) {
  const { icon: Icon, label, showsUnread } = item
  return (
    <>
      <Icon aria-hidden className="size-4 text-muted-foreground in-aria-[current=page]:text-brand-text" />
      <span className="min-w-0 flex-1 truncate icons:sr-only">{label}</span>
      {showsUnread ? <UnreadBadge /> : null}
    </>
  )
}

/** Unread conversations, at the end of the item; a dot beside its icon if the sidebar is collapsed. */
function UnreadBadge() {
  const count = useUnreadConversations()
  if (!count) return null
  return (
    <span className="rounded-sm bg-secondary px-1.5 text-caption font-medium tabular-nums in-aria-[current=page]:bg-card icons:absolute icons:top-1 icons:right-1 icons:size-2 icons:overflow-hidden icons:bg-brand icons:px-0 icons:text-transparent">
      {count >= 1000 ? '999+' : count}
      <span className="sr-only"> unread</span>
    </span>
  )
}

function Opener({ label, isOpen, onToggle }: { label: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-label={`${isOpen ? 'Close' : 'Open'} ${label}`}
      aria-expanded={isOpen}
      onClick={onToggle}
      className="absolute inset-y-0 right-1 grid w-7 place-items-center rounded-md text-muted-foreground hover:text-foreground icons:hidden"
    >
      <ChevronRight aria-hidden className={clsx('size-3.5 transition-transform duration-120', isOpen && 'rotate-90')} />
    </button>
  )
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
            className={clsx(
              line,
              'h-7! text-dense aria-[current=page]:before:inset-y-1.5! aria-[current=page]:before:-left-[9px]! max-md:h-11!',
            )}
          >
            {child.label}
          </AreaLink>
        </li>
      ))}
    </ul>
  )
}

/** The label as a tooltip, for the collapsed sidebar; hidden from screen readers. */
function NavTip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Tooltip label={label} side="right">
      {children}
    </Tooltip>
  )
}
