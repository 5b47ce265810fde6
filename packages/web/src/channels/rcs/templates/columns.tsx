import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import { countOf, formatCount } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { When } from '../../../ui/text.tsx'
import { TemplatePill } from '../../parts/templates/status-pill.tsx'
import { NameCell, RowCard, TextLine } from '../../parts/templates/template-row.tsx'
import { TemplateText } from '../../parts/templates/template-text.tsx'
import { categoryLabels, statusLooks, typeOf } from '../template-labels.tsx'
import { countSuggestions, textPieces } from '../template-text.ts'

export const rcsColumns: readonly Column<RcsTemplate>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (template) => (
      <NameCell name={template.name} className="max-w-90 py-1.5">
        {template.reason ? (
          <Reason reason={template.reason} />
        ) : (
          <TextLine>
            <TemplateText pieces={textPieces(template)} />
          </TextLine>
        )}
      </NameCell>
    ),
  },
  { id: 'type', header: 'Type', width: 136, cell: typeOf },
  { id: 'bot', header: 'Bot', width: 136, cell: botName },
  {
    id: 'suggestions',
    header: 'Suggestions',
    width: 104,
    align: 'right',
    cell: (template) => formatCount(countSuggestions(template)),
  },
  {
    id: 'status',
    header: 'Status',
    width: 132,
    cell: ({ status }) => <TemplatePill look={statusLooks[status]} />,
  },
  { id: 'used', header: 'Used', width: 72, align: 'right', cell: ({ usedCount }) => formatCount(usedCount) },
  { id: 'updated', header: 'Updated', width: 112, cell: ({ updatedAt }) => <When at={updatedAt} /> },
]

export function botName({ botName: name, botId }: Pick<RcsTemplate, 'botName' | 'botId'>): string {
  return name ?? botId ?? 'Any bot'
}

/** Why it cannot be sent, in full. */
export function Reason({ reason }: { reason: string }) {
  return <span className="block text-caption whitespace-normal text-danger-text">{reason}</span>
}

/** A template in the list on phones. */
export function RcsRowCard({ template }: { template: RcsTemplate }) {
  const { name, status, category, reason } = template
  return (
    <RowCard
      name={name}
      status={<TemplatePill look={statusLooks[status]} />}
      caption={[typeOf(template), categoryLabels[category], countOf(countSuggestions(template), 'suggestion')].join(
        ' · ',
      )}
    >
      {reason ? (
        <Reason reason={reason} />
      ) : (
        <p dir="auto" className="line-clamp-2 text-dense text-muted-foreground">
          <TemplateText pieces={textPieces(template)} />
        </p>
      )}
    </RowCard>
  )
}
