import type { Campaign } from '@carillon/contract/campaign-records'
import {
  Ban,
  CalendarClock,
  Copy,
  CopyPlus,
  Download,
  FileChartColumn,
  Pause,
  Pencil,
  Play,
  RotateCw,
} from 'lucide-react'
import { wizardOf } from '../../../channels/campaign-wizards.ts'
import { wizardLink } from '../../../lib/links.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useGo } from '../../../ui/area-link.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { copy } from '../../../ui/copy.ts'
import { toast } from '../../../ui/toast.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import {
  discardLabels,
  downloadExcel,
  downloadNumbers,
  possibleActions,
  useCampaignWrites,
} from './campaign-actions.ts'

/** Actions that open a dialog first. */
export type CampaignQuestion = 'start' | 'reschedule' | 'edit' | 'resend' | 'discard'

type Ask = (question: CampaignQuestion, campaign: Campaign) => void

/** A campaign's menu with the actions that are available now. */
export function useCampaignMenu(ask: Ask): (campaign: Campaign) => readonly MenuItem[] {
  const writes = useCampaignWrites()
  const go = useGo()

  return (campaign) => {
    const can = possibleActions(campaign)
    const input = { path: { id: campaign._id } }
    const edit = (draftId: string) => go(wizardOf(campaign.channel), writeView(wizardLink, { draftId }))
    const duplicate = () => writes.duplicate.mutate(input, { onSuccess: ({ _id }) => edit(_id) })
    const items: (MenuItem | false)[] = [
      can.download && {
        label: 'Open report',
        icon: FileChartColumn,
        onSelect: () => go('campaigns/individual-reports', writeView(reportsView, { campaignId: campaign._id })),
      },
      can.edit && {
        label: 'Edit',
        icon: Pencil,
        onSelect: () => edit(campaign._id),
      },
      ...askedFirst(campaign, ask),
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
      can.discard && {
        label: discardLabels(campaign).ask,
        icon: Ban,
        destructive: true,
        onSelect: () => ask('discard', campaign),
      },
    ]
    return items.filter((item) => item !== false)
  }
}

/** Menu items that open a dialog. */
function askedFirst(campaign: Campaign, ask: Ask): (MenuItem | false)[] {
  const can = possibleActions(campaign)
  return [
    can.reschedule && { label: 'Reschedule…', icon: CalendarClock, onSelect: () => ask('reschedule', campaign) },
    can.takeBack && { label: 'Edit…', icon: Pencil, onSelect: () => ask('edit', campaign) },
    can.start && { label: 'Start…', icon: Play, onSelect: () => ask('start', campaign) },
    can.resend && { label: 'Resend to failed…', icon: RotateCw, onSelect: () => ask('resend', campaign) },
  ]
}
