import { useUser } from '../../lib/session.ts'
import { Logo } from '../../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { NavList } from './nav-list.tsx'
import { useProfile } from './use-account.ts'

type SidebarProps = { isOpen: boolean; onRestricted: (label: string) => void }

/** The sidebar: full, or icons only if collapsed or the window is narrow. */
export function Sidebar({ isOpen, onRestricted }: SidebarProps) {
  return (
    <aside
      className="sticky top-0 flex h-dvh flex-col overflow-hidden border-r border-sidebar-border bg-sidebar text-sidebar-foreground max-md:hidden"
      data-icons={isOpen ? 'narrow' : 'always'}
    >
      <div className="flex h-14 shrink-0 items-center px-2 icons:px-1">
        <Workspace />
      </div>
      <NavList onRestricted={onRestricted} />
      <div className="shrink-0 border-t border-sidebar-border p-2 icons:px-1">
        <AccountMenu place="sidebar" />
      </div>
    </aside>
  )
}

/** The head of the navigation: name of the workspace. */
export function Workspace() {
  const user = useUser()
  const profile = useProfile()
  return (
    <div className="flex h-10 w-full items-center gap-2 rounded-md px-2 text-sidebar-accent-foreground">
      <Logo />
      <b className="min-w-0 flex-1 truncate font-semibold tracking-[-0.011em] icons:hidden">
        {profile.data?.organization ?? user?.username ?? 'Carillon'}
      </b>
    </div>
  )
}
