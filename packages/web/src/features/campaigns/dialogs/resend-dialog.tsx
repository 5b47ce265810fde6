import type { Campaign } from '@carillon/contract/campaign-records'
import type { FailedPeople } from '@carillon/contract/campaign-changes'
import { figuresOf } from '@carillon/contract/figures'
import { useState } from 'react'
import { wizardOf } from '../../../channels/campaign-wizards.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Region } from '../../../ui/region.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'
import { stepsOf } from '../wizard/wizard-steps.ts'
import { wizardView } from '../wizard/wizard-view.ts'

type ResendDialogProps = { campaign: Campaign | undefined; onClose: () => void }

/** Creates a draft for recipients whose message failed, by failure reason. */
export function ResendDialog({ campaign, onClose }: ResendDialogProps) {
  return campaign ? <OpenDialog key={campaign._id} campaign={campaign} onClose={onClose} /> : null
}

function OpenDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { _id: id, campaignName } = campaign
  const go = useGo()
  const failed = useApi('campaigns.failed', { path: { id } }, { staleTime: 0 })
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({})
  const resend = useApiWrite('campaigns.resendFailed', {
    refreshes: showingCampaigns,
    onSuccess: ({ _id, channel }) => {
      onClose()
      go(wizardOf(channel), writeView(wizardView(stepsOf(channel)), { draftId: _id, step: 'review' }))
    },
  })
  const reasons = failed.data?.reasons ?? []
  const isIn = (group: Group) => changed[keyOf(group)] ?? !group.isPermanent
  const people = reasons.filter(isIn).reduce((sum, group) => sum + group.people, 0)
  const leaveOut = [...new Set(reasons.filter((group) => !isIn(group)).map(({ reason }) => reason))]
  return (
    <Dialog
      open
      width="medium"
      onOpenChange={(open) => !open && onClose()}
      title={`Resend ${campaignName} to failed`}
      description="Creates a draft for the people whose message failed, with the same text and sender. You’ll see its cost before sending."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={resend.isPending}
            disabled={people === 0}
            onClick={() => resend.mutate({ path: { id }, body: { leaveOut } })}
          >
            {people > 0 ? `Create draft for ${countOf(people, 'person', 'people')}` : 'Create draft'}
          </Button>
        </>
      }
    >
      <Region read={failed} label="why messages failed" lines={4}>
        {(found) => (
          <div className="flex flex-col gap-4">
            {found.reasons.length === 0 ? <Notice tone="info">No failed recipients are left.</Notice> : null}
            <Reasons
              reasons={found.reasons}
              isIn={isIn}
              onChange={(group, checked) => setChanged({ ...changed, [keyOf(group)]: checked })}
            />
            <p className="text-dense text-muted-foreground">{leftOut(campaign, found)}</p>
            {resend.error ? <Notice tone="bad">{resend.error.message}</Notice> : null}
          </div>
        )}
      </Region>
    </Dialog>
  )
}

type Group = FailedPeople['reasons'][number]

type ReasonsProps = {
  reasons: readonly Group[]
  isIn: (group: Group) => boolean
  onChange: (group: Group, checked: boolean) => void
}

function Reasons({ reasons, isIn, onChange }: ReasonsProps) {
  if (reasons.length === 0) return null
  return (
    <fieldset>
      <legend className="sr-only">Failure reasons</legend>
      <ul className="divide-y divide-line border-y border-line">
        {reasons.map((group) => (
          <li key={keyOf(group)} className="flex min-h-11 items-center justify-between gap-4 py-2">
            <Checkbox
              label={group.title}
              help={group.isPermanent ? 'Permanent failure' : undefined}
              checked={isIn(group)}
              onChange={({ target }) => onChange(group, target.checked)}
            />
            <span className="font-medium tabular-nums">{formatCount(group.people)}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** A reason is excluded on every channel. */
function keyOf({ reason }: Group): string {
  return reason
}

/** Text about the recipients who are excluded. */
function leftOut({ stats }: Campaign, { again }: FailedPeople): string {
  const { delivered, unconfirmed, inFlight } = figuresOf(stats)
  const parts = [
    `${countOf(delivered, 'person', 'people')} already reached`,
    unconfirmed > 0 ? `${formatCount(unconfirmed)} unconfirmed, may have arrived` : '',
    inFlight > 0 ? `${formatCount(inFlight)} awaiting a report` : '',
    again > 0 ? `${formatCount(again)} in another resend` : '',
  ].filter(Boolean)
  return `Left out: ${parts.join('; ')}; people who opted out.`
}
