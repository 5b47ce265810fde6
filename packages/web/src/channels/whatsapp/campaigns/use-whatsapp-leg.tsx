import type { WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useApi } from '../../../lib/use-api.ts'
import type { Leg, LegInput } from '../../channel-campaigns.ts'
import { useLinkExamples } from '../../parts/use-link-examples.ts'
import { usePreselected } from '../../parts/use-preselected.ts'
import { useWabas } from '../use-wabas.ts'
import { whatsappCheckAction } from './whatsapp-check-action.tsx'
import { whatsappFacts, whatsappRequest } from './whatsapp-facts.ts'
import { outlinedSlot, whatsappMessageOf, whatsappRowFacts } from './whatsapp-leg-message.ts'
import { useSessionMedia } from './use-session-media.ts'
import {
  columnNameOf,
  emptyValues,
  matchValues,
  openSlots,
  placeLabel,
  slotsOf,
  withLinkExamples,
} from './whatsapp-slots.ts'
import { WhatsappTemplateStep } from './whatsapp-template-step.tsx'
import { WhatsappValuesStep } from './whatsapp-values-step.tsx'
import { hasValues, usedColumns, valuesOf } from './whatsapp-values.ts'

/** A WhatsApp leg: number, template and the values of every part of it. */
export function useWhatsappLeg({ leg, columns, preselected, onChange }: LegInput): Leg {
  const { wabas } = useWabas()
  const waba = wabas.find(({ numbers }) => numbers.some(({ _id }) => _id === leg.senderId))
  const number = waba?.numbers.find(({ _id }) => _id === leg.senderId)
  const template = useTemplate(leg.isEnabled ? leg.templateId : null)
  const wabaId = template?.waba_id ?? waba?.waba_id
  const values = valuesOf(leg)
  const slots = template ? slotsOf(template) : []
  const withExample = useLinkExamples(slots.map((slot) => slot.read(values)))
  const media = useSessionMedia()
  const choose = choicesOf({ leg, columns, onChange }, wabaId)

  const elsewhere = useTemplate(leg.templateId ? undefined : preselected)
  usePreselected(wabas.length > 0 ? elsewhere : undefined, (chosen) =>
    choose.template(chosen, wabas.find(({ waba_id }) => waba_id === chosen.waba_id)?.numbers[0]),
  )

  return {
    template,
    unset: template ? openSlots(template, values) : 0,
    consent: template === undefined || template.category === 'MARKETING' ? consent : undefined,
    variables: slots.map((slot) => ({
      label: placeLabel(slot),
      column: columnNameOf(slot),
      sample: slot.sample,
      source: slot.read(values),
    })),
    usedColumns: usedColumns(slots, values),
    withSources: (changes) =>
      changes.reduce((filled, { index, source }) => slots[index]?.write(filled, source) ?? filled, values),
    matched: (found) => (template ? matchValues(template, found, values) : values),
    message: (recipient) =>
      whatsappMessageOf(
        {
          template,
          values: withLinkExamples(slots, values, withExample),
          columns,
          sender: number?.verifiedName ?? '',
          mediaUrls: media.urls,
        },
        recipient,
      ),
    outlined: (focused) => outlinedSlot(template, focused),
    rowFacts: whatsappRowFacts,
    facts: (estimate) => whatsappFacts({ number, template, estimate }),
    templateStep: (estimate, part) => (
      <WhatsappTemplateStep
        part={part}
        wabaId={wabaId}
        senderId={leg.senderId}
        templateId={leg.templateId}
        limitLeft={estimate?.limitLeft}
        onNumber={choose.number}
        onTemplate={choose.template}
      />
    ),
    valuesStep: (tools) =>
      template && hasValues(template) ? (
        <WhatsappValuesStep
          {...tools}
          template={template}
          values={values}
          phoneNumberId={number?.phone_number_id}
          media={media}
          onValues={(next) => onChange({ values: next })}
        />
      ) : undefined,
    checkAction: whatsappCheckAction,
    request: (draft) => whatsappRequest(draft, { wabaId, number, values }),
  }
}

const consent = {
  label: 'These people agreed to marketing messages from your business',
  help: 'Meta limits numbers that many people block or report.',
}

function useTemplate(id: string | null | undefined): WhatsappTemplate | undefined {
  const query = useApi('waTemplates.get', { path: { id: id ?? '' } }, { enabled: Boolean(id), staleTime: 60_000 })
  return id ? query.data : undefined
}

/** Effects of one choice on the others. A template belongs to the account of its number. */
function choicesOf(
  { leg, columns, onChange }: Pick<LegInput, 'leg' | 'columns' | 'onChange'>,
  wabaId: string | undefined,
) {
  const none: { templateId: null; values: TemplateValues } = { templateId: null, values: emptyValues }
  return {
    number({ _id, waba_id }: Pick<WhatsappNumber, '_id' | 'waba_id'>) {
      if (_id === leg.senderId) return
      const isOther = wabaId !== undefined && waba_id !== wabaId
      onChange({ senderId: _id, ...(isOther ? none : {}) }, { now: true })
    },
    template(chosen: WhatsappTemplate, number?: Pick<WhatsappNumber, '_id'>) {
      if (chosen._id === leg.templateId) return
      onChange(
        {
          templateId: chosen._id,
          values: matchValues(chosen, columns),
          ...(number ? { senderId: number._id } : {}),
        },
        { now: true },
      )
    },
  }
}
