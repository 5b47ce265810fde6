import type { TemplateHeader, WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import clsx from 'clsx'
import { categoryLabels, languageLabel, statusLooks, TemplateState } from '../template-labels.tsx'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { NameCell, RowCard, TextLine } from '../../parts/templates/template-row.tsx'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Missing, When } from '../../../ui/text.tsx'
import type { TemplateFamily } from './families.ts'
import { textOf } from './template-text.ts'

export const whatsappColumns: readonly Column<TemplateFamily>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, first }) => (
      <NameCell name={name} className="max-w-90 py-1.5">
        {first.reason ? <Reason template={first} /> : <TextLine>{textOf(first)}</TextLine>}
      </NameCell>
    ),
  },
  { id: 'status', header: 'Status', width: 156, cell: ({ first }) => <TemplateState {...first} /> },
  { id: 'languages', header: 'Languages', width: 150, cell: (family) => <LanguageChips family={family} /> },
  {
    id: 'category',
    header: 'Category',
    width: 132,
    cell: ({ first: { category, previousCategory } }) => (
      <>
        {categoryLabels[category]}
        {previousCategory && previousCategory !== category ? (
          <span className="block text-caption text-warning-text">
            was {categoryLabels[previousCategory].toLowerCase()}
          </span>
        ) : null}
      </>
    ),
  },
  { id: 'header', header: 'Header', width: 96, cell: ({ first }) => headerWord(first.components.header) },
  {
    id: 'buttons',
    header: 'Buttons',
    width: 80,
    align: 'right',
    cell: ({ first }) => formatCount(first.components.buttons.length),
  },
  {
    id: 'used',
    header: 'Used in',
    width: 80,
    align: 'right',
    cell: ({ variants }) => formatCount(variants.reduce((sum, { usedCount }) => sum + usedCount, 0)),
  },
  { id: 'updated', header: 'Updated', width: 112, cell: ({ first }) => <When at={first.updatedAt} /> },
]

/** Why it cannot be sent, in full. */
export function Reason({ template: { status, reason, pausedUntil } }: { template: WhatsappTemplate }) {
  return (
    <span
      className={clsx(
        'block text-caption whitespace-normal',
        status === 'REJECTED' || status === 'DISABLED' ? 'text-danger-text' : 'text-warning-text',
      )}
    >
      {reason}
      {pausedUntil ? ` Sends again ${formatDateTime(pausedUntil)}.` : ''}
    </span>
  )
}

function LanguageChips({ family: { variants } }: { family: TemplateFamily }) {
  return (
    <span className="flex flex-wrap gap-1">
      {variants.map(({ _id, language, status }) => (
        <span
          key={_id}
          title={`${languageLabel(language)}: ${statusLooks[status].label}`}
          className={clsx(
            'rounded-sm px-1.5 text-caption',
            status === 'APPROVED' ? 'bg-success-muted text-success-text' : 'bg-neutral-muted text-neutral-text',
          )}
        >
          {language}
        </span>
      ))}
    </span>
  )
}

const headerLabels = {
  TEXT: 'Text',
  IMAGE: 'Image',
  VIDEO: 'Video',
  DOCUMENT: 'Document',
  LOCATION: 'Location',
} as const

function headerWord(header: TemplateHeader | undefined) {
  return header ? headerLabels[header.format] : <Missing why="no header" />
}

/** A template in the list on phones. */
export function WhatsappRowCard({ family: { name, first, variants } }: { family: TemplateFamily }) {
  return (
    <RowCard
      name={name}
      status={<TemplateState {...first} />}
      caption={`${categoryLabels[first.category]} · ${variants.map(({ language }) => languageLabel(language)).join(', ')}`}
    >
      {first.reason ? (
        <Reason template={first} />
      ) : (
        <p dir="auto" className="line-clamp-2 text-dense text-muted-foreground">
          {textOf(first)}
        </p>
      )}
    </RowCard>
  )
}
