import { truncate } from '@carillon/contract/text'
import type {
  SmsCategory,
  SmsTemplate,
  SmsTemplateInput,
  SmsTemplateStatus,
} from '@carillon/contract/channels/sms/sms-templates'
import type { ApprovedTemplate } from '../parse-approval.ts'
import { alignVariables, type TemplateDraft } from '../template-rules.ts'

export type TemplateForm = {
  name: string
  smsAccountId: string
  header: string
  category: SmsCategory
  language: string
  body: string
  variables: TemplateDraft['variables']
  entityId: string
  dltTemplateId: string
  status: SmsTemplateStatus
  /** The text pasted for comparison; it is not saved. */
  approved: string | undefined
}

export const emptyForm: TemplateForm = {
  name: '',
  smsAccountId: '',
  header: '',
  category: 'service_implicit',
  language: 'en',
  body: '',
  variables: [],
  entityId: '',
  dltTemplateId: '',
  status: 'draft',
  approved: undefined,
}

export function formOf(template: SmsTemplate): TemplateForm {
  const {
    name,
    smsAccountId,
    header,
    category,
    language,
    body,
    variables,
    entityId = '',
    dltTemplateId = '',
    status,
  } = template
  return {
    ...emptyForm,
    name,
    smsAccountId,
    header,
    category,
    language,
    body,
    variables: alignVariables(body, variables),
    entityId,
    dltTemplateId,
    status,
  }
}

/** A copy starts as a draft with another name, and without the DLT id, which belongs to the original text. */
export function copyOf(template: SmsTemplate): TemplateForm {
  return { ...formOf(template), name: truncate(`${template.name}_copy`, 80), dltTemplateId: '', status: 'draft' }
}

export function formOfApproval(approved: ApprovedTemplate): TemplateForm {
  const { body, ...rest } = approved
  return { ...emptyForm, ...rest, body, variables: alignVariables(body, []), approved: body }
}

export function withBody(form: TemplateForm, body: string): TemplateForm {
  return { ...form, body, variables: alignVariables(body, form.variables) }
}

export function inputOf(form: TemplateForm, status: SmsTemplateStatus): SmsTemplateInput {
  const { name, smsAccountId, header, category, language, body, variables, entityId, dltTemplateId } = form
  return {
    name: name.trim(),
    smsAccountId,
    header,
    category,
    language,
    body,
    variables: variables.map((variable, index) => ({
      ...variable,
      name: variable.name.trim() || `${variable.kind} ${index + 1}`,
    })),
    ...(entityId ? { entityId } : {}),
    ...(dltTemplateId ? { dltTemplateId } : {}),
    status,
  }
}

/** Required fields that are missing, by field. */
export function missingFields({ name, smsAccountId, header, body }: TemplateForm): Record<string, string> {
  return {
    ...(name.trim() ? {} : { name: 'Enter a name' }),
    ...(smsAccountId ? {} : { smsAccountId: 'Choose an SMS account' }),
    ...(header ? {} : { header: 'Choose a header' }),
    ...(body.trim() ? {} : { body: 'Enter the text' }),
  }
}

let pending: TemplateForm | undefined

/** Passes a prefilled form to the next screen, since it is too long for a URL. */
export function leaveForNextScreen(form: TemplateForm) {
  pending = form
}

export function readHandedOverForm(): TemplateForm | undefined {
  const form = pending
  pending = undefined
  return form
}
