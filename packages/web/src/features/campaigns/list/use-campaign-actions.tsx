import type { Campaign } from '@carillon/contract/campaign-records'
import { useState, type ReactNode } from 'react'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { DiscardDialog } from '../dialogs/discard-dialog.tsx'
import { EditScheduledDialog } from '../dialogs/edit-scheduled-dialog.tsx'
import { ResendDialog } from '../dialogs/resend-dialog.tsx'
import { StartDialog } from '../dialogs/start-dialog.tsx'
import { useCampaignMenu, type CampaignQuestion } from './use-campaign-menu.ts'

const RescheduleDialog = lazyDialog(() =>
  import('../dialogs/reschedule-dialog.tsx').then((code) => code.RescheduleDialog),
)

export type CampaignActions = {
  menu: (campaign: Campaign) => readonly MenuItem[]
  ask: (question: CampaignQuestion, campaign: Campaign) => void
  dialogs: ReactNode
}

/** A campaign's menu with the dialogs it opens. */
export function useCampaignActions(): CampaignActions {
  const [asked, setAsked] = useState<{ question: CampaignQuestion; campaign: Campaign }>()
  const ask = (question: CampaignQuestion, campaign: Campaign) => setAsked({ question, campaign })
  const menu = useCampaignMenu(ask)
  const of = (question: CampaignQuestion) => (asked?.question === question ? asked.campaign : undefined)
  const rescheduled = of('reschedule')
  const close = () => setAsked(undefined)
  return {
    menu,
    ask,
    dialogs: (
      <>
        <StartDialog key={asked?.campaign._id} campaign={of('start')} onClose={close} />
        {rescheduled ? <RescheduleDialog campaign={rescheduled} onClose={close} /> : null}
        <EditScheduledDialog campaign={of('edit')} onClose={close} />
        <ResendDialog campaign={of('resend')} onClose={close} />
        <DiscardDialog campaign={of('discard')} onClose={close} />
      </>
    ),
  }
}
