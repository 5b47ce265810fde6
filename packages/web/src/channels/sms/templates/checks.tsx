import { checkTemplate, type RuleFinding } from '../template-rules.ts'
import { replaceOffenders } from '../sms-fix.ts'
import { Button } from '../../../ui/button.tsx'
import { ChecksPanel } from '../../../ui/checks-panel.tsx'
import type { TemplateForm } from './form.ts'

type TemplateChecksProps = { form: TemplateForm; accountEntityId: string | undefined; onBody: (body: string) => void }

/** What operators will check, as the text is now. */
export function TemplateChecks({ form, accountEntityId, onBody }: TemplateChecksProps) {
  const findings = checkTemplate({ ...form, accountEntityId })
  return (
    <div className="mt-4 w-[calc(100%+40px)] border-t border-border px-5">
      <ChecksPanel folded checks={findings.map((finding) => ({ ...finding, actions: fixOf(finding, form, onBody) }))} />
    </div>
  )
}

function fixOf({ fix }: RuleFinding, { body, approved }: TemplateForm, onBody: (body: string) => void) {
  if (fix === 'replace-offenders') return <Fix onPress={() => onBody(replaceOffenders(body))} />
  if (fix === 'use-approved' && approved) return <Fix onPress={() => onBody(approved)} />
  return undefined
}

function Fix({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="ghost" size="tool" className="-my-1 -mr-1.5" onClick={onPress}>
      Fix
    </Button>
  )
}
