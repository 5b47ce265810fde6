import type { Campaign } from '@carillon/contract/campaign-records'
import { useState } from 'react'
import { formatScheduleDay } from '../../../lib/format.ts'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'
import { TimeFields } from '../wizard/time-fields.tsx'
import { soonLabel } from '../wizard/zoned-time.ts'

type RescheduleDialogProps = { campaign: Campaign | undefined; onClose: () => void }

/** Reschedules a campaign. Recipients, texts and the hold are unchanged. */
export function RescheduleDialog({ campaign, onClose }: RescheduleDialogProps) {
  return campaign?.startAt ? (
    <OpenDialog key={campaign._id} campaign={campaign} startAt={campaign.startAt} onClose={onClose} />
  ) : null
}

type Opened = { campaign: Campaign; startAt: string; onClose: () => void }

function OpenDialog({ campaign, startAt, onClose }: Opened) {
  const { _id: id, campaignName, timezone } = campaign
  const [opened] = useState(() => new Date())
  const { chosen, choose, isOther, refusal, beginsLater, write } = useRescheduling({ campaign, startAt, onClose })
  const wrong = write.error ? fieldMessages(write.error)['startAt'] : undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="medium"
      title={`Reschedule ${campaignName}`}
      description={`It is scheduled for ${formatScheduleDay(startAt, timezone)}. The reserved amount does not change.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={write.isPending}
            disabled={!isOther || refusal !== undefined}
            onClick={() => write.mutate({ path: { id }, body: chosen })}
          >
            Reschedule
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <TimeFields {...chosen} opened={opened} error={refusal ?? wrong} onSchedule={choose} />
        {beginsLater ? (
          <Notice
            tone="info"
            actions={
              <Button size="sm" onClick={() => choose({ ...chosen, startAt: beginsLater.at })}>
                Start {soonLabel(beginsLater.at, chosen.timezone)}
              </Button>
            }
          >
            {`Messages are sent between ${beginsLater.hours}. Until then it waits.`}
          </Notice>
        ) : null}
        {write.error && !wrong ? <Notice tone="bad">{write.error.message}</Notice> : null}
      </div>
    </Dialog>
  )
}

/** The chosen time, validated by the server before it is saved. */
function useRescheduling({ campaign, startAt, onClose }: Opened) {
  const { _id: id, timezone } = campaign
  const [chosen, setChosen] = useState({ startAt, timezone })
  const plan = useApi('campaigns.plannedStart', { path: { id }, query: { startAt: chosen.startAt } }, { staleTime: 0 })
  const write = useApiWrite('campaigns.schedule', {
    refreshes: showingCampaigns,
    onSuccess: () => {
      toast.success(`Rescheduled for ${formatScheduleDay(chosen.startAt, chosen.timezone)}`)
      onClose()
    },
  })
  const isOther = chosen.startAt !== startAt || chosen.timezone !== timezone
  const { beginsAt, hours = '', refusal } = plan.data ?? {}
  const isClosed = beginsAt !== undefined && Date.parse(beginsAt) > Date.parse(chosen.startAt)
  function choose(schedule: typeof chosen) {
    write.reset()
    setChosen(schedule)
  }
  return {
    chosen,
    choose,
    isOther,
    /** The current time may have passed; that is an error only once another is chosen. */
    refusal: isOther ? refusal : undefined,
    beginsLater: isClosed && !refusal ? { at: beginsAt, hours } : undefined,
    write,
  }
}
