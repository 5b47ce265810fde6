import { Command } from 'cmdk'
import { Link2, Megaphone, Moon, PanelLeft, Plus, Search, Smartphone } from 'lucide-react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { mayCall } from '../../lib/call.ts'
import { useUser } from '../../lib/session.ts'
import { toggleSidebar } from '../../lib/sidebar-cookie.ts'
import { toggleTheme } from '../../lib/theme.ts'
import { idParam, textParam } from '../../lib/url-state.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { useGo } from '../../ui/area-link.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { toast } from '../../ui/toast.tsx'
import { screens } from '../routes.tsx'
import { navigationOf } from './navigation.ts'

const line =
  'flex min-h-10 cursor-default items-center gap-2 rounded-md px-2 whitespace-nowrap select-none data-[selected=true]:bg-accent [&>svg]:size-4 [&>svg]:text-muted-foreground'
const group =
  '[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-caption [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted-foreground'

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const actions = useActions(onClose)
  return (
    <Dialog open onOpenChange={onClose} title="Search" width="palette">
      <Command label="Command palette" loop className="flex min-h-0 flex-col">
        <div className="flex h-13 shrink-0 items-center gap-2.5 border-b border-border px-4">
          <Search aria-hidden className="size-4 text-muted-foreground" />
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
          <Command.Empty className="px-2 py-8 text-center text-muted-foreground">Nothing found</Command.Empty>
          <FoundCampaigns typed={typed} onClose={onClose} />
          <FoundNumber typed={typed} onClose={onClose} />
          {actions.map(({ heading, entries }) => (
            <Command.Group key={heading} heading={heading} className={group}>
              {entries.map(({ label, icon, keys, onSelect }) => (
                <Command.Item key={label} value={`${heading} ${label}`} onSelect={onSelect} className={line}>
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
  if (!user) return []
  const act = (deed: () => void) => () => {
    onClose()
    deed()
  }
  const goTo = (path: string) => act(() => go(path))
  const canCreate = screens.some(
    ({ path, roles }) => path === 'campaigns/sms-campaign-creation' && roles.includes(user.type),
  )

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
      entries: canCreate
        ? [{ label: 'New SMS campaign', icon: <Plus aria-hidden />, onSelect: goTo('campaigns/sms-campaign-creation') }]
        : [],
    },
    {
      heading: 'Actions',
      entries: [
        { label: 'Toggle theme', icon: <Moon aria-hidden />, onSelect: act(toggleTheme) },
        { label: 'Toggle sidebar', icon: <PanelLeft aria-hidden />, keys: ['Mod', 'B'], onSelect: act(toggleSidebar) },
        { label: 'Copy link to view', icon: <Link2 aria-hidden />, onSelect: act(copyLink) },
      ],
    },
  ].filter(({ entries }) => entries.length > 0)
}

function FoundCampaigns({ typed, onClose }: { typed: string; onClose: () => void }) {
  const go = useGo()
  const query = useDeferredValue(typed.trim())
  const included = useIncluded('campaign') === true
  const enabled = query.length >= 2 && included && mayCall('smsCampaigns.search')
  const found = useApi('smsCampaigns.search', { query: { query, limit: 5 } }, { enabled, keepPrevious: true })
  if (!enabled || !found.data || found.data.campaigns.length === 0) return null

  function open(id: string) {
    onClose()
    go('campaigns', { c: idParam().write(id) })
  }
  return (
    <Command.Group heading="Campaigns" forceMount className={group}>
      {found.data.campaigns.map(({ _id, campaignName, status }) => (
        <Command.Item
          key={_id}
          value={_id}
          keywords={[campaignName, typed]}
          forceMount
          onSelect={() => open(_id)}
          className={line}
        >
          <Megaphone aria-hidden />
          <span className="flex-1 truncate">{campaignName}</span>
          <StatusPill status={status} />
        </Command.Item>
      ))}
    </Command.Group>
  )
}

function FoundNumber({ typed, onClose }: { typed: string; onClose: () => void }) {
  const go = useGo()
  const digits = typed.replace(/[\s()-]/g, '')
  const exists = screens.some(({ path }) => path === 'campaigns/individual-numbers')
  if (!exists || !/^\+?\d{8,15}$/.test(digits)) return null
  function look() {
    onClose()
    go('campaigns/individual-numbers', { q: textParam().write(digits) })
  }
  return (
    <Command.Item value={`number ${typed}`} forceMount onSelect={look} className={line}>
      <Smartphone aria-hidden />
      <span className="flex-1">Look up {typed}</span>
    </Command.Item>
  )
}

function copyLink() {
  navigator.clipboard.writeText(window.location.href).then(
    () => toast.success('Link copied'),
    () => toast.error('The browser did not allow copying'),
  )
}
