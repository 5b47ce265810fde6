import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { ConnectionCheck, ProviderForm } from '@carillon/contract/senders'
import { useState, type FormEvent } from 'react'
import type { CallError } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { useApi, useApiWrite, fieldMessages } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AccountForm } from './account-form.tsx'
import { emptyDraft, draftOf, inputOf, missingOf, type AccountDraft } from './account-draft.ts'

type AccountSheetProps = { account: SmsAccount | undefined; onClose: () => void }

/** Creates or edits an SMS account: common fields, then the provider's own settings. */
export function AccountSheet({ account, onClose }: AccountSheetProps) {
  const providers = useApi('providers.list', {})
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={account ? account.name : 'Connect an SMS account'}
      width="wide"
    >
      {providers.isPending ? (
        <Loading label="Loading providers">
          <SkeletonLines count={8} />
        </Loading>
      ) : null}
      {providers.isError ? <Failure error={providers.error} onRetry={() => void providers.refetch()} /> : null}
      {providers.data ? <AccountEditor account={account} providers={providers.data} onClose={onClose} /> : null}
    </Sheet>
  )
}

/** Tests the connection before saving, so that the operator's error is shown in the open form. */
function AccountEditor({ account, providers, onClose }: AccountSheetProps & { providers: ProviderForm[] }) {
  const [initial] = useState<AccountDraft>(() => (account ? draftOf(account, providers) : emptyDraft(providers)))
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const [tested, setTested] = useState<AccountDraft>()
  const { saving, check, test, save } = useConnecting({ account, draft, onClose })
  const provider = providers.find(({ name }) => name === draft.provider)
  const missing = missingOf(draft, provider)
  const error = check.error ?? saving.error
  const errors = { ...fieldMessages(error), ...(tried ? missing : {}) }

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (Object.keys(missing).length > 0) return undefined
    const goesElse = JSON.stringify(draft.config) !== JSON.stringify(initial.config)
    if (account && !goesElse) return save()
    setTested(draft)
    return test()
  }

  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col" noValidate>
      <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
        {error ? <Refused error={error} count={Object.keys(fieldMessages(error)).length} /> : null}
        <AccountForm
          draft={draft}
          onChange={setDraft}
          providers={providers}
          errors={errors}
          secretsSet={account?.secretsSet ?? []}
          isNew={!account}
        />
      </div>
      <NotConnected found={tested === draft ? check.data : undefined} onSave={save} />
      <footer className="flex items-center justify-end gap-2 border-t border-border px-5 py-3">
        <span role="status" className="mr-auto text-dense text-muted-foreground">
          {check.isPending ? 'Testing the connection…' : ''}
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={check.isPending || saving.isPending}>
          {account ? 'Save account' : 'Connect account'}
        </Button>
      </footer>
    </form>
  )
}

type Connecting = { account: SmsAccount | undefined; draft: AccountDraft; onClose: () => void }

/** Tests the connection, then saves if it works. */
function useConnecting({ account, draft, onClose }: Connecting) {
  const body = inputOf(draft)
  const done = {
    refreshes: ['smsAccounts.list'] as const,
    onSuccess: ({ name, isActive }: SmsAccount) => {
      toast.success(`${name} is saved${isActive ? '' : '. Switch it on to send.'}`)
      onClose()
    },
  }
  const create = useApiWrite('smsAccounts.create', done)
  const update = useApiWrite('smsAccounts.update', done)
  const save = () => (account ? update.mutate({ path: { id: account._id }, body }) : create.mutate({ body }))
  const check = useApiWrite('smsAccounts.check', {
    onSuccess: ({ isConnected }) => (isConnected ? save() : undefined),
  })
  const test = () => check.mutate({ body: { ...body, ...(account ? { id: account._id } : {}) } })
  return { saving: account ? update : create, check, test, save }
}

/** Nothing is saved yet; the user may save anyway, for example before the operator has activated the account. */
function NotConnected({ found, onSave }: { found: ConnectionCheck | undefined; onSave: () => void }) {
  if (!found || found.isConnected) return null
  return (
    <div className="px-5 pb-3">
      <Notice
        tone="bad"
        actions={
          <Button size="tool" className="text-foreground" onClick={onSave}>
            Save anyway
          </Button>
        }
      >
        {found.message} <span className="font-mono">{found.code}</span>
      </Notice>
    </div>
  )
}

function Refused({ error, count }: { error: CallError; count: number }) {
  return <Notice tone="bad">{count > 0 ? `Fix ${countOf(count, 'field')}` : error.message}</Notice>
}
