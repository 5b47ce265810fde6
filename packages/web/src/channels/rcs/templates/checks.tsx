import type { RcsFinding } from '@carillon/contract/channels/rcs/rcs-findings'
import type { RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { CheckItem } from '../../../ui/checks-panel.tsx'
import { CheckAction, RailChecks } from '../../parts/templates/rail-checks.tsx'
import { typeLabels } from '../template-labels.tsx'
import { fixOf } from './findings.ts'
import { cardOfField, placeText } from './places.ts'

type ChecksProps = {
  input: RcsTemplateInput
  findings: readonly RcsFinding[]
  onInput: (input: RcsTemplateInput) => void
  onShow: (field: string) => void
}

/** Checks of the template; each leads to its field, and is fixed with one press where that needs no decision. */
export function RcsChecks({ input, findings, onInput, onShow }: ChecksProps) {
  const checks: CheckItem[] = [
    ...findings.map((finding, index): CheckItem => {
      const { field, message, level } = finding
      const fix = fixOf(input, finding)
      return {
        id: `${field}-${index}`,
        level: level === 'error' ? 'blocker' : 'advice',
        title: message,
        detail: placeText(field),
        actions: (
          <>
            {fix ? (
              <CheckAction
                label={fix.label}
                name={`${fix.label}: ${message}, ${placeText(field)}`}
                onPress={() => onInput(fix.apply(input))}
              />
            ) : null}
            <CheckAction
              label="Show"
              name={`Show ${message}, ${placeText(field)}`}
              movesFocus
              onPress={() => onShow(field)}
            />
          </>
        ),
      }
    }),
    ...passedOf(input, findings),
  ]
  return <RailChecks checks={checks} />
}

/** The groups of fields without a finding. */
function passedOf({ type }: RcsTemplateInput, findings: readonly RcsFinding[]): CheckItem[] {
  const groups = [
    { title: 'Name', has: (field: string) => field === 'name' },
    { title: typeLabels[type], has: (field: string) => !/suggestions|^name$/.test(field) },
    { title: 'Suggestions of the message', has: (field: string) => field.startsWith('suggestions') },
    ...(type === 'text_message'
      ? []
      : [
          {
            title: 'Suggestions on cards',
            has: (field: string) => cardOfField(field) !== undefined && field.includes('suggestions'),
          },
        ]),
  ]
  return groups
    .filter(({ has }) => findings.every(({ field }) => !has(field)))
    .map(({ title }): CheckItem => ({ id: title, level: 'pass', title }))
}
