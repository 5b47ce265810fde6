import { Command } from 'cmdk'
import { LifeBuoy, Link2, MessageSquareHeart, Moon, PanelLeft, Plus, Search as SearchIcon, Wallet } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { ownWizards } from '../../channels/campaign-wizards.ts'
import { channelScreens } from '../../channels/screens.ts'
import { mayCall } from '../../lib/call.ts'
import type { Search } from '../../lib/search.ts'
import { useUser } from '../../lib/session.ts'
import { toggleSidebar } from '../../lib/sidebar-cookie.ts'
import { openSupport } from '../../lib/support.ts'
import { toggleTheme } from '../../lib/theme.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { useGo } from '../../ui/area-link.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { copy } from '../../ui/copy.ts'
import { toast } from '../../ui/toast.tsx'
import { navigationOf } from './navigation.ts'
import { PaletteFinds } from './palette-finds.tsx'
import { paletteGroup, paletteLine } from './palette-styles.ts'

const pauseMs = 250

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const query = usePaused(typed.trim())
  const actions = useActions(onClose)
  const go = useGo()
  const goTo = (path: string, search: Search) => {
    onClose()
    go(path, search)
  }
  return (
    <Dialog open onOpenChange={onClose} title="Search" width="palette">
      <Command label="Command palette" loop className="flex min-h-0 flex-col">
        <div className="flex h-13 shrink-0 items-center gap-2.5 border-b border-border px-4">
          <SearchIcon aria-hidden className="size-4 text-muted-foreground" />
          <Command.Input
            autoFocus
            value={typed}
            onValueChange={setTyped}
            placeholder="Search campaigns, screens and actions"
            className="min-w-0 flex-1 bg-transparent text-base outline-none!"
          />
          <Keys names={['Esc']} />
        </div>
        <Command.List className="max-h-100 overflow-y-auto p-2 pt-1">
          <Command.Empty className="px-2 py-8 text-center text-muted-foreground">
            {query === typed.trim() ? 'Nothing found' : 'Searching…'}
          </Command.Empty>
          <PaletteFinds typed={typed.trim()} query={query} onGo={goTo} />
          {actions.map(({ heading, entries }) => (
            <Command.Group key={heading} heading={heading} className={paletteGroup}>
              {entries.map(({ label, icon, keys, onSelect }) => (
                <Command.Item key={label} value={`${heading} ${label}`} onSelect={onSelect} className={paletteLine}>
                  {icon}
                  <span className="flex-1 truncate">{label}</span>
                  {keys ? <Keys names={keys} /> : null}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
        <div className="flex h-10 shrink-0 items-center gap-4 border-t border-border bg-muted px-4 text-caption text-muted-foreground max-md:hidden">
          <span className="flex items-center gap-1.5">
            <Keys names={['↵']} /> Open
          </span>
          <span className="ml-auto flex items-center gap-1.5">
            <Keys names={['↑', '↓']} /> Move
          </span>
        </div>
      </Command>
    </Dialog>
  )
}

type Entry = { label: string; icon: ReactNode; keys?: readonly string[]; onSelect: () => void }

function useActions(onClose: () => void): { heading: string; entries: Entry[] }[] {
  const user = useUser()
  const go = useGo()
  const creations = useCreations()
  if (!user) return []
  const act = (action: () => void) => () => {
    onClose()
    action()
  }
  const goTo = (path: string) => act(() => go(path))
  return [
    {
      heading: 'Go to',
      entries: navigationOf(user.type).flatMap(({ label, path, icon: Icon, keys, children = [] }) => [
        { label, icon: <Icon aria-hidden />, onSelect: goTo(path), ...(keys ? { keys } : {}) },
        ...children
          .filter((child) => child.path !== path)
          .map((child) => ({
            label: `${label}: ${child.label}`,
            icon: <Icon aria-hidden />,
            onSelect: goTo(child.path),
          })),
      ]),
    },
    {
      heading: 'Create',
      entries: creations.map(({ title, path }) => ({ label: title, icon: <Plus aria-hidden />, onSelect: goTo(path) })),
    },
    {
      heading: 'Actions',
      entries: [
        ...(user.type === 'admin'
          ? []
          : [{ label: 'Request top-up', icon: <Wallet aria-hidden />, onSelect: act(() => askForTopUp()) }]),
        { label: 'Support', icon: <LifeBuoy aria-hidden />, onSelect: act(() => openSupport()) },
        {
          label: 'Feedback',
          icon: <MessageSquareHeart aria-hidden />,
          onSelect: act(() => openSupport({ kind: 'feedback' })),
        },
        { label: 'Toggle theme', icon: <Moon aria-hidden />, onSelect: act(toggleTheme) },
        { label: 'Toggle sidebar', icon: <PanelLeft aria-hidden />, keys: ['Mod', 'B'], onSelect: act(toggleSidebar) },
        { label: 'Copy link to view', icon: <Link2 aria-hidden />, onSelect: act(copyLink) },
      ],
    },
  ].filter(({ entries }) => entries.length > 0)
}

/** Actions available to the account: screen exists, call allowed, module included. */
function useCreations() {
  const user = useUser()
  const included = { campaign: useIncluded('campaign'), template: useIncluded('template') }
  const templates = newTemplates.filter(
    ({ roles, module, call }) => user && roles.includes(user.type) && included[module] && mayCall(call),
  )
  return [...(included.campaign ? ownWizards() : []), ...templates]
}

const newTemplates = Object.values(channelScreens).flatMap(({ newTemplate }) => newTemplate ?? [])

/** The typed text, debounced. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return paused
}

function copyLink() {
  copy(window.location.href, () => toast.success('Link copied'))
}
