import { Moon, PanelLeft, Search, Sun } from 'lucide-react'
import { toggleSidebar } from '../../lib/sidebar-cookie.ts'
import { toggleTheme, useTheme } from '../../lib/theme.ts'
import { IconButton } from '../../ui/button.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BalanceChip } from './balance-chip.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Notifications } from './notifications.tsx'
import { useProfile } from './use-account.ts'

type HeaderProps = { onDrawer: () => void; onPalette: () => void }

export function Header({ onDrawer, onPalette }: HeaderProps) {
  const theme = useTheme()
  const profile = useProfile()
  return (
    <header className="sticky top-0 z-20 flex h-14 shrink-0 items-center gap-2 border-b border-border bg-[color-mix(in_oklab,var(--background)_92%,transparent)] px-4 backdrop-blur-[10px] group-has-data-thread-open/frame:max-md:hidden max-md:gap-0 max-md:px-2">
      <IconButton label="Open navigation" className="size-11 md:hidden" onClick={onDrawer}>
        <PanelLeft aria-hidden />
      </IconButton>
      <IconButton
        label="Toggle sidebar"
        keys={['Mod', 'B']}
        size="sm"
        className="max-lg:hidden"
        onClick={toggleSidebar}
      >
        <PanelLeft aria-hidden />
      </IconButton>
      <span aria-hidden className="mx-1 h-4 w-px bg-border max-lg:hidden" />
      <b className="truncate pl-1 font-semibold md:hidden">{profile.data?.organization}</b>
      <Breadcrumbs />
      <div className="ml-auto flex items-center gap-1">
        <button
          type="button"
          onClick={onPalette}
          className="mr-1 flex h-8 w-56 items-center gap-2 rounded-md border border-edge bg-card pr-1.5 pl-2.5 text-dense text-muted-foreground hover:bg-accent max-xl:w-8 max-xl:justify-center max-xl:px-0 max-md:size-11 max-md:border-0 max-md:bg-transparent"
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 text-left max-xl:sr-only">Search</span>
          <span className="max-xl:hidden">
            <Keys names={['Mod', 'K']} />
          </span>
        </button>
        <BalanceChip />
        <IconButton
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          className="max-md:size-11"
          onClick={toggleTheme}
        >
          {theme === 'dark' ? <Sun aria-hidden /> : <Moon aria-hidden />}
        </IconButton>
        <Notifications />
        <span className="md:hidden">
          <AccountMenu place="header" />
        </span>
      </div>
    </header>
  )
}
