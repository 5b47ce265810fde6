import type { TemplateFinding } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { CheckItem } from '../../../ui/checks-panel.tsx'
import { CheckAction, RailChecks } from '../../parts/templates/rail-checks.tsx'
import { focusField } from '../../parts/templates/focus-field.ts'
import { placeOf, sectionLabels, sectionOf, sectionsOf } from './findings.ts'
import type { WhatsappForm } from './form.ts'

type ChecksProps = {
  form: WhatsappForm
  findings: readonly TemplateFinding[]
  /** Renumbers the variables without gaps. */
  onRenumber: () => void
}

/** Template checks; each links to its field. */
export function WhatsappChecks({ form, findings, onRenumber }: ChecksProps) {
  const passed = sectionsOf(form).filter((section) => findings.every(({ field }) => sectionOf(field) !== section))
  const checks: CheckItem[] = [
    ...findings.map(({ field, message, level }, index): CheckItem => ({
      id: `${field}-${index}`,
      level: level === 'error' ? 'blocker' : 'advice',
      title: message,
      detail: placeOf(field),
      actions: (
        <>
          {message.includes('without gaps') ? <CheckAction label="Renumber" onPress={onRenumber} /> : null}
          <CheckAction
            label="Show"
            name={`Show ${message}, ${placeOf(field)}`}
            movesFocus
            onPress={() => focusField(field)}
          />
        </>
      ),
    })),
    ...passed.map((section): CheckItem => ({ id: section, level: 'pass', title: sectionLabels[section] })),
  ]
  const errors = findings.filter(({ level }) => level === 'error').length
  return (
    <RailChecks checks={checks}>
      {errors === 0 ? (
        <p className="border-t border-line py-2 text-caption text-muted-foreground">
          Approval outlook: likely. No rule violations found; Meta still reviews it.
        </p>
      ) : null}
    </RailChecks>
  )
}
