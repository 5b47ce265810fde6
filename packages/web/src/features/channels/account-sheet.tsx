import type { ProviderForm, SmsAccount } from '@carillon/contract/senders'
import { useState, type FormEvent } from 'react'
import { countOf } from '../../lib/format.ts'
import { useApi, useApiWrite, fieldMessages } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { AccountForm } from './account-form.tsx'
import { emptyDraft, draftOf, inputOf, type AccountDraft } from './account-draft.ts'

type AccountSheetProps = { account: SmsAccount | undefined; onClose: () => void }

/** Connects an SMS account or changes one: what every account has, then the provider's own settings. */
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

function AccountEditor({ account, providers, onClose }: AccountSheetProps & { providers: ProviderForm[] }) {
  const [draft, setDraft] = useState<AccountDraft>(() => (account ? draftOf(account) : emptyDraft(providers)))
  const done = { refreshes: ['smsAccounts.list'] as const, onSuccess: (saved: SmsAccount) => finish(saved) }
  const create = useApiWrite('smsAccounts.create', done)
  const update = useApiWrite('smsAccounts.update', done)
  const saving = account ? update : create
  const errors = fieldMessages(saving.error)
  const wrong = Object.keys(errors).length

  function finish(saved: SmsAccount) {
    toast.success(account ? `${saved.name} is saved` : `${saved.name} is saved. Switch it on to connect it.`)
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const body = inputOf(draft)
    if (account) update.mutate({ path: { id: account._id }, body })
    else create.mutate({ body })
  }

  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col" noValidate>
      <div className="flex flex-1 flex-col gap-6 overflow-y-auto p-5">
        {saving.isError ? (
          <Notice tone="bad">
            {wrong > 0 ? `${countOf(wrong, 'field needs', 'fields need')} another look.` : saving.error.message}
          </Notice>
        ) : null}
        <AccountForm
          draft={draft}
          onChange={setDraft}
          providers={providers}
          errors={errors}
          secretsSet={account?.secretsSet ?? []}
          isNew={!account}
        />
      </div>
      <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={saving.isPending}>
          {account ? 'Save account' : 'Connect account'}
        </Button>
      </footer>
    </form>
  )
}
