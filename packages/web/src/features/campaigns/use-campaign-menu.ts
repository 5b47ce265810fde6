import type { Campaign } from '@carillon/contract/campaign-records'
import { Ban, Copy, CopyPlus, Download, FileChartColumn, Pause, Pencil, Play } from 'lucide-react'
import { useGo } from '../../ui/area-link.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { copy } from '../../ui/copy.ts'
import { toast } from '../../ui/toast.tsx'
import { downloadExcel, downloadNumbers, possibleActions, useCampaignWrites } from './campaign-actions.ts'
import { callsOf } from './channel-calls.ts'

/** A campaign's menu: only what can be done with it now. */
export function useCampaignMenu({
  onStart,
  onDiscard,
}: Record<'onStart' | 'onDiscard', (campaign: Campaign) => void>): (campaign: Campaign) => readonly MenuItem[] {
  const writes = useCampaignWrites()
  const go = useGo()

  return (campaign) => {
    const can = possibleActions(campaign)
    const input = { path: { id: campaign._id } }
    const { wizard } = callsOf(campaign.channel)
    const duplicate = () => writes.duplicate.mutate(campaign, { onSuccess: ({ _id }) => go(wizard, { c: _id }) })
    const items: (MenuItem | false)[] = [
      can.download && {
        label: 'Open report',
        icon: FileChartColumn,
        onSelect: () => go('campaigns/individual-reports', { c: campaign._id }),
      },
      can.edit && {
        label: 'Edit',
        icon: Pencil,
        onSelect: () => go(wizard, { c: campaign._id }),
      },
      can.start && { label: 'Start…', icon: Play, onSelect: () => onStart(campaign) },
      can.pause && { label: 'Pause', icon: Pause, onSelect: () => writes.pause.mutate(input) },
      can.resume && { label: 'Resume', icon: Play, onSelect: () => writes.resume.mutate(input) },
      can.duplicate && { label: 'Duplicate', icon: CopyPlus, onSelect: duplicate },
      can.download && { label: 'Download report', icon: Download, onSelect: () => void downloadExcel(campaign) },
      can.download && { label: 'Download numbers', icon: Download, onSelect: () => void downloadNumbers(campaign) },
      {
        label: 'Copy id',
        icon: Copy,
        onSelect: () => copy(campaign._id, () => toast.success('Id copied')),
      },
      can.discard && { label: 'Discard…', icon: Ban, destructive: true, onSelect: () => onDiscard(campaign) },
    ]
    return items.filter((item) => item !== false)
  }
}
