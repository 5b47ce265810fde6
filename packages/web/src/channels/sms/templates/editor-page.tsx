import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { EditorGate } from '../../parts/templates/editor-gate.tsx'
import { draftNameOf, editorView, type EditorMode } from '../../parts/templates/editor-view.ts'
import { useSmsAccounts } from '../use-sms-accounts.ts'
import { TemplateEditor } from './editor.tsx'
import { copyOf, emptyForm, formOf, readHandedOverForm, type TemplateForm } from './form.ts'
import { smsTemplateScreens } from './screens.ts'

const noAccount = {
  icon: MessageSquareText,
  title: 'Connect an SMS account first',
  text: 'A template belongs to the account whose header sends it.',
  to: 'channels/sms',
  action: 'Open SMS accounts',
}

/** A new template, a change of one, or a copy of one. */
export function SmsTemplatePage() {
  const [{ templateId: id, mode }] = useView(editorView)
  const [prefilled] = useState(readHandedOverForm)
  const { accounts, isPending, error, retry } = useSmsAccounts()
  const template = useApi(
    'smsTemplates.get',
    { path: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: Infinity },
  )
  const initial = template.data ? startingForm(template.data, mode) : (prefilled ?? emptyForm)
  return (
    <EditorGate
      screens={smsTemplateScreens}
      noAccount={noAccount}
      hasAccount={accounts.length > 0}
      read={{
        isPending: isPending || (id !== undefined && template.isPending),
        error: error ?? template.error,
        retry: error ? retry : () => void template.refetch(),
      }}
    >
      {() => (
        <TemplateEditor
          key={`${id} ${mode}`}
          id={mode === 'copy' ? undefined : id}
          initial={initial}
          accounts={accounts}
          draftName={draftNameOf('sms', id, mode)}
          isFresh={prefilled !== undefined}
        />
      )}
    </EditorGate>
  )
}

function startingForm(template: SmsTemplate, mode: EditorMode): TemplateForm {
  return mode === 'copy' ? copyOf(template) : formOf(template)
}
