import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useState } from 'react'
import { phoneMessageOf } from '../phone-message.ts'
import { categoryLabels, languageLabel, TemplateState } from '../template-labels.tsx'
import { useWabas } from '../use-wabas.ts'
import { useWhatsappPrice } from '../use-whatsapp-price.ts'
import { countOf, formatUnitPrice } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import type { Fact } from '../../../ui/facts.tsx'
import { editorView } from '../../parts/templates/editor-view.ts'
import { TemplatePeekBody } from '../../parts/templates/peek.tsx'
import { Region } from '../../../ui/region.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Missing, When } from '../../../ui/text.tsx'
import type { TemplateFamily } from './families.ts'
import { isLocked } from './form.ts'
import { Reason } from './columns.tsx'
import { whatsappTemplateScreens } from './screens.ts'
import { WhatsappTimeline } from './timeline.tsx'

/** Template details: phone preview with samples, status reason, and history. */
export function WhatsappTemplatePeek({ family }: { family: TemplateFamily }) {
  const { wabas } = useWabas()
  const [language, setLanguage] = useState(family.first.language)
  const listed = family.variants.find((variant) => variant.language === language) ?? family.first
  const details = useApi('waTemplates.get', { path: { id: listed._id } })
  const template = details.data ?? listed
  const waba = wabas.find(({ waba_id }) => waba_id === template.waba_id)
  return (
    <TemplatePeekBody
      above={
        <>
          <LanguageChoice family={family} language={template.language} onChange={setLanguage} />
          {template.reason ? <Reason template={template} /> : null}
        </>
      }
      message={phoneMessageOf(template.components, {
        sender: waba?.numbers[0]?.verifiedName || waba?.name || '',
        category: template.category,
      })}
      facts={factsOf(template, waba?.name)}
    >
      <Region read={details} label="the history" lines={3}>
        {({ events }) => <WhatsappTimeline events={events} />}
      </Region>
    </TemplatePeekBody>
  )
}

type LanguageChoiceProps = { family: TemplateFamily; language: string; onChange: (language: string) => void }

function LanguageChoice({ family: { variants }, language, onChange }: LanguageChoiceProps) {
  if (variants.length < 2) return null
  return (
    <span className="self-start">
      <Segmented
        label="Language"
        value={language}
        onValueChange={onChange}
        options={variants.map((variant) => ({ value: variant.language, label: languageLabel(variant.language) }))}
      />
    </span>
  )
}

/** The category, and the price effect if Meta has changed it. */
function Category({ template: { category, previousCategory } }: { template: WhatsappTemplate }) {
  const now = useWhatsappPrice(category)
  const before = useWhatsappPrice(previousCategory ?? category)
  if (!previousCategory || previousCategory === category) return categoryLabels[category]
  return (
    <>
      {categoryLabels[category]}, was {categoryLabels[previousCategory].toLowerCase()}
      {now && before ? (
        <span className="block text-caption text-muted-foreground tabular-nums">
          {formatUnitPrice(now)} each instead of {formatUnitPrice(before)}
        </span>
      ) : null}
    </>
  )
}

function factsOf(template: WhatsappTemplate, account: string | undefined): Fact[] {
  const { status, quality, metaId, usedCount, pausedCount, updatedAt, waba_id } = template
  return [
    ['Status', <TemplateState key="status" status={status} quality={quality} />],
    ['Category', <Category key="category" template={template} />],
    ['Account', account ?? waba_id],
    ['Id at Meta', metaId ? <Copyable key="id" text={metaId} /> : <Missing key="id" why="not submitted yet" />],
    ...(pausedCount > 0 ? [['Paused', `${countOf(pausedCount, 'time')}; the third time it is disabled`] as const] : []),
    ['Used in', countOf(usedCount, 'campaign')],
    ['Updated', <When key="updated" at={updatedAt} />],
  ]
}

export function WhatsappPeekFoot({ family: { first } }: { family: TemplateFamily }) {
  return (
    <Button asChild>
      <AreaLink to={whatsappTemplateScreens.editorPath} search={writeView(editorView, { templateId: first._id })}>
        {first.status === 'REJECTED' ? 'Fix and submit again' : isLocked(first) ? 'Open' : 'Edit'}
      </AreaLink>
    </Button>
  )
}
