import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import type {
  TemplateButton,
  TemplateSample,
  WhatsappTemplateContent,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Input } from '../../../ui/input.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { messageId, wrong, type Problems } from '../../parts/templates/problems.tsx'

type Row = {
  field: string
  variable: string
  sample: string
  usedIn: string
  change: (sample: string) => WhatsappTemplateContent
}

type SamplesProps = {
  content: WhatsappTemplateContent
  problems: Problems
  onChange: (content: WhatsappTemplateContent) => void
  /** The variable of the body whose field has the focus, outlined on the phone. */
  onFocus: (variable: string | undefined) => void
}

/** A sample for each variable, used in Meta's review. */
export function WhatsappSamples({ content, problems, onChange, onFocus }: SamplesProps) {
  const rows = rowsOf(content)
  if (rows.length === 0) {
    return <p className="text-dense text-muted-foreground">No variables yet: everyone gets the same text.</p>
  }
  return (
    <table className="w-full table-fixed border-y border-border">
      <thead className="text-left text-caption text-muted-foreground">
        <tr className="h-8 border-b border-border [&>th]:font-medium">
          <th scope="col" className="w-1/4">
            Variable
          </th>
          <th scope="col">Sample</th>
          <th scope="col" className="w-1/4 text-right">
            Used in
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, variable, sample, usedIn, change }) => (
          <tr key={field} data-field={field} className="border-b border-line last:border-0">
            <th scope="row" className="truncate text-left font-normal">
              <span className="rounded-sm bg-brand-muted px-1.5 py-0.5 text-brand-text">{variable}</span>
            </th>
            <td className="py-1.5">
              <Input
                size="sm"
                aria-label={`Sample for ${variable} in ${usedIn}`}
                {...wrong(field, problems(field))}
                maxLength={500}
                value={sample}
                onFocus={() => onFocus(usedIn === 'Body' ? variable : undefined)}
                onBlur={() => onFocus(undefined)}
                onChange={(event) => onChange(change(event.target.value))}
              />
              {problems(field) ? <FieldMessage id={messageId(field)} text={problems(field) ?? ''} /> : null}
            </td>
            <td className="truncate text-right text-dense text-muted-foreground">{usedIn}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function rowsOf(content: WhatsappTemplateContent): Row[] {
  return [...headerRows(content), ...bodyRows(content), ...buttonRows(content), ...cardRows(content)]
}

function headerRows(content: WhatsappTemplateContent): Row[] {
  const { header } = content
  if (header?.format !== 'TEXT') return []
  return listTemplateVariables(header.text)
    .slice(0, 1)
    .map((variable) => ({
      field: 'components.header.sample',
      variable,
      sample: header.sample,
      usedIn: 'Header',
      change: (sample) => ({ ...content, header: { ...header, sample } }),
    }))
}

function bodyRows(content: WhatsappTemplateContent): Row[] {
  return content.samples.map(({ name, sample: value }, index) => ({
    field: `components.samples.${index}`,
    variable: name,
    sample: value,
    usedIn: 'Body',
    change: (sample) => ({ ...content, samples: replaced(content.samples, index, sample) }),
  }))
}

function buttonRows(content: WhatsappTemplateContent): Row[] {
  return content.buttons.flatMap((button, index): Row[] =>
    button.type === 'URL' && button.url.includes('{{')
      ? [
          {
            field: `components.buttons.${index}.sample`,
            variable: '1',
            sample: button.sample,
            usedIn: button.text || 'Link',
            change: (sample) => ({ ...content, buttons: withSample(content.buttons, index, sample) }),
          },
        ]
      : [],
  )
}

function withSample(buttons: readonly TemplateButton[], index: number, sample: string): TemplateButton[] {
  return buttons.map((button, place) => (place === index && button.type === 'URL' ? { ...button, sample } : button))
}

function cardRows(content: WhatsappTemplateContent): Row[] {
  const { cards } = content
  const changeCard = (index: number, patch: Partial<(typeof cards)[number]>) => ({
    ...content,
    cards: cards.map((card, place) => (place === index ? { ...card, ...patch } : card)),
  })
  return cards.flatMap((card, index) => [
    ...card.samples.map(({ name, sample: value }, place) => ({
      field: `components.cards.${index}.samples.${place}`,
      variable: name,
      sample: value,
      usedIn: `Card ${index + 1}`,
      change: (sample: string) => changeCard(index, { samples: replaced(card.samples, place, sample) }),
    })),
    ...card.buttons.flatMap((button, place) =>
      button.type === 'URL' && button.url.includes('{{')
        ? [
            {
              field: `components.cards.${index}.buttons.${place}.sample`,
              variable: '1',
              sample: button.sample,
              usedIn: `Card ${index + 1}: ${button.text || 'link'}`,
              change: (sample: string) => changeCard(index, { buttons: withSample(card.buttons, place, sample) }),
            },
          ]
        : [],
    ),
  ])
}

function replaced(samples: readonly TemplateSample[], index: number, sample: string): TemplateSample[] {
  return samples.map((each, place) => (place === index ? { ...each, sample } : each))
}
