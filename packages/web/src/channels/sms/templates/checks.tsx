import { CheckAction, RailChecks } from '../../parts/templates/rail-checks.tsx'
import { replaceOffenders } from '../sms-fix.ts'
import type { RuleFinding } from '../template-rules.ts'
import type { TemplateForm } from './form.ts'

type TemplateChecksProps = { form: TemplateForm; findings: readonly RuleFinding[]; onBody: (body: string) => void }

/** Checks that operators will make on the current text. */
export function TemplateChecks({ form, findings, onBody }: TemplateChecksProps) {
  return <RailChecks checks={findings.map((finding) => ({ ...finding, actions: fixOf(finding, form, onBody) }))} />
}

function fixOf({ fix }: RuleFinding, { body, approved }: TemplateForm, onBody: (body: string) => void) {
  if (fix === 'replace-offenders') return <CheckAction label="Fix" onPress={() => onBody(replaceOffenders(body))} />
  if (fix === 'use-approved' && approved) return <CheckAction label="Fix" onPress={() => onBody(approved)} />
  return undefined
}
