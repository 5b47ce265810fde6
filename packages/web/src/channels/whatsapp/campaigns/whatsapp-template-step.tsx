import type { WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { MessageCircle } from 'lucide-react'
import { limitLabel, numberQualityLabels } from '../number-labels.ts'
import { useWabas } from '../use-wabas.ts'
import { formatCount } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/field.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Select } from '../../../ui/select.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import type { TemplateStepPart } from '../../channel-campaigns.ts'
import { NothingToChoose } from '../../parts/nothing-to-choose.tsx'
import { TemplatePicker, useTemplateSearch } from '../../parts/template-picker.tsx'
import { WhatsappTemplateOption } from './whatsapp-template-option.tsx'

type WhatsappTemplateStepProps = {
  part: TemplateStepPart | undefined
  /** The account of the chosen template or number. */
  wabaId: string | undefined
  senderId: string | null
  templateId: string | null
  limitLeft: number | null | undefined
  onNumber: (number: WhatsappNumber) => void
  onTemplate: (template: WhatsappTemplate, number: WhatsappNumber) => void
}

/** Choice of the number and the approved template. */
export function WhatsappTemplateStep(props: WhatsappTemplateStepProps) {
  const { part = 'all', wabaId, senderId, templateId, limitLeft, onNumber, onTemplate } = props
  const { wabas, isPending, error, retry } = useWabas()
  if (error) return <Failure error={error} onRetry={retry} />
  if (isPending) {
    return (
      <Loading label="Loading WhatsApp accounts">
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  // Choosing a template chooses its account and number; until then the first ones are shown.
  const waba = wabas.find(({ waba_id }) => waba_id === wabaId) ?? wabas[0]
  const number = waba?.numbers.find(({ _id }) => _id === senderId) ?? waba?.numbers[0]
  if (!waba || !number) {
    return (
      <NothingToChoose
        icon={MessageCircle}
        title="No WhatsApp number is ready"
        action="Open WhatsApp"
        to="channels/whatsapp"
        isCompact={part !== 'all'}
      >
        Connect an account and switch a number on to continue.
      </NothingToChoose>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      {part === 'templates' ? null : (
        <NumberChooser wabas={wabas} waba={waba} number={number} limitLeft={limitLeft} onNumber={onNumber} />
      )}
      {part === 'sender' ? null : (
        <Templates
          wabaId={waba.waba_id}
          templateId={templateId}
          onTemplate={(template) => onTemplate(template, number)}
        />
      )}
    </div>
  )
}

type Wabas = ReturnType<typeof useWabas>['wabas']

type NumberChooserProps = Pick<WhatsappTemplateStepProps, 'limitLeft' | 'onNumber'> & {
  wabas: Wabas
  waba: Wabas[number]
  number: WhatsappNumber
}

function NumberChooser({ wabas, waba, number, limitLeft, onNumber }: NumberChooserProps) {
  const chooseWaba = (id: string) => {
    const [first] = wabas.find(({ waba_id }) => waba_id === id)?.numbers ?? []
    if (first) onNumber(first)
  }
  return (
    <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
      <Field label="WhatsApp account">
        <Select
          value={waba.waba_id}
          onValueChange={chooseWaba}
          options={wabas.map(({ waba_id, name }) => ({ value: waba_id, label: name }))}
        />
      </Field>
      <Field label="Number">
        <Select
          value={number._id}
          onValueChange={(id) => {
            const chosen = waba.numbers.find(({ _id }) => _id === id)
            if (chosen) onNumber(chosen)
          }}
          options={waba.numbers.map(({ _id, displayPhoneNumber, verifiedName }) => ({
            value: _id,
            label: `${displayPhoneNumber} · ${verifiedName}`,
          }))}
        />
      </Field>
      <NumberFacts number={number} limitLeft={limitLeft} />
    </div>
  )
}

/** Quality of the number, and how many more people it may message first today. */
function NumberFacts({ number, limitLeft }: { number: WhatsappNumber; limitLeft: number | null | undefined }) {
  const quality = numberQualityLabels[number.quality]
  const hasLeft = typeof limitLeft === 'number'
  return (
    <p className="col-span-full -mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-dense text-muted-foreground tabular-nums">
      <span className="flex items-center gap-1.5">
        Quality <Pill tone={quality.tone}>{quality.label}</Pill>
      </span>
      <span>
        {number.messagingLimit === null ? 'No daily limit' : `Portfolio limit ${limitLabel(number.messagingLimit)}`}
        {hasLeft ? <b className="font-medium text-foreground">, {formatCount(limitLeft)} left today</b> : null}
      </span>
      <span>{formatCount(number.ratePerSecond)} messages a second</span>
      {number.mode === 'sandbox' ? <Pill tone="care">Test number</Pill> : null}
    </p>
  )
}

type TemplatesProps = {
  wabaId: string
  templateId: string | null
  onTemplate: (template: WhatsappTemplate) => void
}

const gone: readonly WhatsappTemplate['status'][] = ['DELETED', 'PENDING_DELETION', 'ARCHIVED']

function Templates({ wabaId, templateId, onTemplate }: TemplatesProps) {
  const searching = useTemplateSearch()
  const { search } = searching
  const list = useApi(
    'waTemplates.list',
    { query: { waba_id: wabaId, limit: 100, ...(search ? { search } : {}) } },
    { keepPrevious: true },
  )
  const templates = (list.data?.data ?? []).filter(({ status }) => !gone.includes(status))
  const shown = [
    ...templates.filter(({ status }) => status === 'APPROVED'),
    ...templates.filter(({ status }) => status !== 'APPROVED'),
  ]

  return (
    <TemplatePicker
      title="Templates"
      searching={searching}
      list={list}
      count={shown.length}
      none={
        <NothingToChoose
          icon={MessageCircle}
          title="No template in this account yet"
          action="New WhatsApp template"
          to="manage-templates/whatsapp/whatsapp-template-creation"
        >
          WhatsApp campaigns use templates approved by Meta.
        </NothingToChoose>
      }
    >
      {shown.map((template) => (
        <WhatsappTemplateOption
          key={template._id}
          template={template}
          isChosen={template._id === templateId}
          onChoose={() => onTemplate(template)}
        />
      ))}
    </TemplatePicker>
  )
}
