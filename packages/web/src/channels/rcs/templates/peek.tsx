import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { countOf } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Fact } from '../../../ui/facts.tsx'
import { When } from '../../../ui/text.tsx'
import { editorView } from '../../parts/templates/editor-view.ts'
import { TemplatePeekBody } from '../../parts/templates/peek.tsx'
import { TemplatePill } from '../../parts/templates/status-pill.tsx'
import { rcsMessageOf } from '../phone-message.ts'
import { categoryLabels, statusLooks, typeOf } from '../template-labels.tsx'
import { countSuggestions } from '../template-text.ts'
import { botOf, brandOf, useRcsBots } from '../use-bots.ts'
import { botName, Reason } from './columns.tsx'
import { isLocked } from './form.ts'
import { rcsTemplateScreens } from './screens.ts'

/** Template details: phone preview and facts. */
export function RcsTemplatePeek({ template }: { template: RcsTemplate }) {
  const { bots } = useRcsBots()
  const brand = brandOf(botOf(bots, template.botId) ?? bots[0])
  return (
    <TemplatePeekBody
      above={template.reason ? <Reason reason={template.reason} /> : undefined}
      message={rcsMessageOf(template, brand)}
      facts={factsOf(template)}
    />
  )
}

function factsOf(template: RcsTemplate): Fact[] {
  const { status, category, usedCount, updatedAt } = template
  return [
    ['Status', <TemplatePill key="status" look={statusLooks[status]} />],
    ['Type', typeOf(template)],
    ['Bot', botName(template)],
    ['Category', categoryLabels[category]],
    ['Suggestions', String(countSuggestions(template))],
    ['Used in', countOf(usedCount, 'campaign')],
    ['Updated', <When key="updated" at={updatedAt} />],
  ]
}

export function RcsPeekFoot({ template }: { template: RcsTemplate }) {
  return (
    <Button asChild>
      <AreaLink to={rcsTemplateScreens.editorPath} search={writeView(editorView, { templateId: template._id })}>
        {isLocked(template) ? 'Open' : 'Edit'}
      </AreaLink>
    </Button>
  )
}
