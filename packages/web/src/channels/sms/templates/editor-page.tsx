import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { MessageSquareText } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSmsAccounts } from '../use-sms-accounts.ts'
import { mayCall } from '../../../lib/call.ts'
import { choiceParam, defineView, idParam } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { TemplateEditor } from './editor.tsx'
import { copyOf, emptyForm, formOf, readHandedOverForm, type TemplateForm } from './form.ts'
import { texts } from './texts.ts'

const view = defineView({ c: idParam(), v: choiceParam(['edit', 'copy'], 'edit') })

/** A new template, a change of one (`?c=`), or a copy of one. */
export function CreateSmsPage() {
  const [{ c: id, v: mode }] = useView(view)
  const [prefilled] = useState(readHandedOverForm)
  const { accounts, isPending, error, retry } = useSmsAccounts()
  const template = useApi(
    'smsTemplates.get',
    { path: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: Infinity },
  )
  if (!mayCall('smsTemplates.create')) return bare(<Denied />)

  if (error) return bare(<Failure error={error} onRetry={retry} />)
  if (template.isError) return bare(<Failure error={template.error} onRetry={() => void template.refetch()} />)
  if (isPending || (id && template.isPending)) {
    return (
      <Loading label="Loading the template">
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (accounts.length === 0) return bare(<NoAccount />)
  const initial = template.data ? startingForm(template.data, mode) : (prefilled ?? emptyForm)
  return (
    <TemplateEditor
      key={`${id} ${mode}`}
      id={mode === 'copy' ? undefined : id}
      initial={initial}
      accounts={accounts}
      draftName={draftNameOf(id, mode)}
      isFresh={prefilled !== undefined}
    />
  )
}

/** The page title without the editor. */
function bare(children: ReactNode) {
  return <Page title={texts.newTitle}>{children}</Page>
}

function draftNameOf(id: string | undefined, mode: 'edit' | 'copy'): string {
  return `sms-template.${id ? `${mode}.${id}` : 'new'}`
}

function startingForm(template: SmsTemplate, mode: 'edit' | 'copy'): TemplateForm {
  return mode === 'copy' ? copyOf(template) : formOf(template)
}

function NoAccount() {
  return (
    <Empty
      icon={MessageSquareText}
      title="Connect an SMS account first"
      actions={
        <Button asChild variant="primary">
          <AreaLink to="channels/sms">Open SMS accounts</AreaLink>
        </Button>
      }
    >
      A template belongs to the account whose header sends it.
    </Empty>
  )
}
