import type { Channel } from '@carillon/contract/channels'
import type { ReactNode } from 'react'
import { useScreenName } from '../../../lib/title.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { WizardFrame } from '../../../ui/wizard-frame.tsx'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import { isOvertaken, type CommonDraft, type DraftHandle } from './use-draft.ts'
import { useSend } from './use-send.ts'
import { WizardFoot, type Counted } from './wizard-foot.tsx'
import type { WizardSteps } from './wizard-steps.ts'

type CampaignWizardProps<Step extends string> = {
  channel: Channel
  handle: DraftHandle<CommonDraft>
  steps: WizardSteps<Step>
  step: Step
  onStep: (step: Step) => void
  counted: Counted | undefined
  isCounting: boolean
  /** The same campaign as a request; the review shows it once there is a draft. */
  asApi: ReactNode
  rail: ReactNode
  /** Whose phone the rail shows, or which template. */
  shown: string | undefined
  /** Of the message on the phone: its row, its price. */
  railCaption: string | undefined
  /** The step that is open. */
  children: ReactNode
}

/** A wizard around the steps of a channel: the draft's name, the way through them, what it costs and the send. */
export function CampaignWizard<Step extends string>(props: CampaignWizardProps<Step>) {
  const { channel, handle, steps, step, onStep, counted, isCounting, asApi, rail, shown, railCaption, children } = props
  const go = useGo()
  const sending = useSend({
    channel,
    handle,
    people: counted ? peopleToSend(counted) : 0,
  })
  const isReview = step === steps.ids.at(-1)
  const { campaignName } = handle.draft
  useScreenName(campaignName)

  return (
    <WizardFrame
      name={campaignName}
      onRename={(name) => handle.change({ campaignName: name })}
      save={handle.save}
      onExit={() => go('campaigns')}
      headActions={isReview && handle.id ? asApi : null}
      steps={steps.ids.map((id, index) => ({
        id,
        label: steps.labels[id],
        ...progressOf(id, steps),
        href: hrefOf(index, handle.id),
      }))}
      current={step}
      onStep={onStep}
      railLabel={`Preview · ${shown ?? 'nothing yet'}`}
      railCaption={railCaption}
      rail={rail}
      foot={
        <WizardFoot
          channel={channel}
          steps={steps}
          step={step}
          onStep={onStep}
          counted={counted}
          isCounting={isCounting}
          isLater={handle.draft.schedule.startAt !== undefined}
          campaignName={campaignName}
          sending={sending}
        />
      }
    >
      <Problem
        message={handle.error?.message}
        actions={
          isOvertaken(handle.error) ? (
            <Button size="sm" onClick={() => location.reload()}>
              Load it again
            </Button>
          ) : null
        }
      />
      <Problem message={isReview ? sending.problem : undefined} />
      {children}
    </WizardFrame>
  )
}

function Problem({ message, actions }: { message: string | undefined; actions?: ReactNode }) {
  if (!message) return null
  return (
    <div className="mb-4">
      <Notice tone="bad" actions={actions}>
        {message}
      </Notice>
    </div>
  )
}

function progressOf<Step extends string>(
  id: Step,
  { open, judged }: WizardSteps<Step>,
): { done?: boolean; problems?: number } {
  if (!judged[id]) return {}
  return open[id] > 0 ? { problems: open[id] } : { done: true }
}

/** The address of a step, as the codec writes it. */
function hrefOf(index: number, id: string | undefined): string {
  return `?t=${index}${id ? `&c=${id}` : ''}`
}
