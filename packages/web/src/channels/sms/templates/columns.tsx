import { categorySuffix } from '@carillon/contract/channels/sms/category-suffix'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { categoryLabels } from '../sender-name.ts'
import { countOf } from '../../../lib/format.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Missing, Mono, When } from '../../../ui/text.tsx'
import { NameCell, RowCard, TextLine } from '../../parts/templates/template-row.tsx'
import { TemplateBody } from '../template-body.tsx'
import { TemplateStatusPill } from './status.tsx'

export const templateColumns: readonly Column<SmsTemplate>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, body, variables }) => (
      <NameCell name={name} className="max-w-75">
        <TextLine>
          <TemplateBody body={body} variables={variables} />
        </TextLine>
      </NameCell>
    ),
  },
  { id: 'status', header: 'Status', width: 116, cell: ({ status }) => <TemplateStatusPill status={status} /> },
  { id: 'header', header: 'Header', width: 96, cell: ({ header }) => <Mono>{header}</Mono> },
  {
    id: 'category',
    header: 'Category',
    width: 124,
    cell: ({ category }) => (
      <span title={categoryLabels[category]}>
        {categoryLabels[category]} <Mono>{categorySuffix[category]}</Mono>
      </span>
    ),
  },
  {
    id: 'dlt',
    header: 'DLT template id',
    width: 216,
    cell: ({ dltTemplateId }) =>
      dltTemplateId ? <Copyable text={dltTemplateId} label="Copy DLT template id" /> : <Missing why="no id yet" />,
  },
  {
    id: 'parts',
    header: 'Parts',
    width: 72,
    align: 'right',
    cell: ({ parts, worstParts }) => (
      <span title={`With the longest variables: ${countOf(worstParts, 'part')}`}>
        {worstParts > parts ? `${parts}–${worstParts}` : parts}
      </span>
    ),
  },
  {
    id: 'encoding',
    header: 'Encoding',
    width: 92,
    cell: ({ encoding }) => (encoding === 'gsm7' ? 'GSM-7' : 'Unicode'),
  },
  { id: 'account', header: 'Account', width: 148, optional: true, cell: ({ accountName }) => accountName },
  { id: 'updated', header: 'Updated', width: 112, cell: ({ updatedAt }) => <When at={updatedAt} /> },
]

/** A template in the list on phones. */
export function TemplateRowCard({ template }: { template: SmsTemplate }) {
  const { name, status, header, category, parts, body, variables } = template
  return (
    <RowCard
      name={name}
      status={<TemplateStatusPill status={status} />}
      caption={`${header} · ${categoryLabels[category]} · ${countOf(parts, 'part')}`}
    >
      <p className="line-clamp-2 text-dense text-muted-foreground">
        <TemplateBody body={body} variables={variables} />
      </p>
    </RowCard>
  )
}
