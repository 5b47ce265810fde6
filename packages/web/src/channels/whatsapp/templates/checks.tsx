import type { TemplateFinding } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel, type CheckItem } from '../../../ui/checks-panel.tsx'
import { focusField, placeOf, sectionLabels, sectionOf, sectionsOf } from './findings.ts'
import type { WhatsappForm } from './form.ts'

type ChecksProps = {
  form: WhatsappForm
  findings: readonly TemplateFinding[]
  /** What one press can mend. */
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
          {message.includes('without gaps') ? <CheckButton label="Renumber" onPress={onRenumber} /> : null}
          <CheckButton
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
    <div className="mt-4 w-[calc(100%+40px)] border-t border-border px-5">
      <ChecksPanel folded checks={checks} />
      {errors === 0 ? (
        <p className="border-t border-line py-2 text-caption text-muted-foreground">
          Approval outlook: likely. No rule violations found; Meta still reviews it.
        </p>
      ) : null}
    </div>
  )
}

type CheckButtonProps = { label: string; name?: string; movesFocus?: true; onPress: () => void }

function CheckButton({ label, name, movesFocus, onPress }: CheckButtonProps) {
  return (
    <Button
      variant="ghost"
      size="tool"
      className="-my-1 -mr-1.5"
      aria-label={name}
      data-leads-to-field={movesFocus}
      onClick={onPress}
    >
      {label}
    </Button>
  )
}
