import type { NumberMessage } from '@carillon/contract/messages'
import { Search, Smartphone } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { formatDateTime, formatPhone } from '../../../lib/format.ts'
import { numberLink } from '../../../lib/links.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { MessagePhone } from '../report/message-phone.tsx'
import { CopyProof, NumberJourney } from './number-journey.tsx'

/** All messages to one phone number. */
export function IndividualNumbersPage() {
  const [{ number }, setView] = useView(numberLink)
  const [typed, setTyped] = useState(number ? formatPhone(`+${number}`) : '')
  const [problem, setProblem] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    const digits = digitsOf(typed)
    setProblem(digits ? undefined : 'Enter a number, with country code if outside India')
    if (digits) setView({ number: digits })
  }

  return (
    <Page title="Individual numbers">
      <form
        onSubmit={submit}
        className="screen-x flex flex-wrap items-start gap-2 border-b border-border pb-4"
        noValidate
      >
        <Field
          label={<span className="sr-only">Phone number</span>}
          error={problem}
          className="max-w-120 min-w-60 flex-1"
        >
          <Input
            leading={<Search aria-hidden />}
            type="tel"
            inputMode="tel"
            placeholder="+91 98765 43210"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoFocus
          />
        </Field>
        <Button type="submit" variant="primary" className="mt-1.5 max-md:h-11">
          Look up
        </Button>
      </form>
      {number ? (
        <Journey key={number} number={number} />
      ) : (
        <Empty icon={Smartphone} title="Enter a number to see its messages">
          Every campaign and single message sent to it, with its status and text.
        </Empty>
      )}
    </Page>
  )
}

function Journey({ number }: { number: string }) {
  const journey = useApi('messages.byNumber', { path: { number }, query: { limit: 50 } })
  const [selected, setSelected] = useState<NumberMessage>()
  if (journey.isPending) {
    return (
      <Loading label="Looking up the number">
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (journey.isError && !journey.data) return <Failure error={journey.error} onRetry={() => void journey.refetch()} />

  const { messages, optedOutAt } = journey.data
  const shown = selected ?? messages[0]
  return (
    <div className="grid flex-1 content-start lg:grid-cols-[minmax(0,1fr)_22rem] lg:content-stretch">
      <div className="min-w-0">
        {optedOutAt ? (
          <Notice tone="care" shape="bar">
            {formatPhone(`+${number}`)} opted out on {formatDateTime(optedOutAt)}.
          </Notice>
        ) : null}
        {messages.length === 0 ? (
          <Empty icon={Smartphone} title={`Nothing was sent to ${formatPhone(`+${number}`)}`}>
            Check the number, or look in another account.
          </Empty>
        ) : (
          <Loaded at={journey.dataUpdatedAt} isStale={journey.isError}>
            <NumberJourney messages={messages} selected={shown} onSelect={setSelected} />
          </Loaded>
        )}
      </div>
      {shown ? (
        <aside
          aria-label="The message on the phone"
          className="flex flex-col items-center gap-4 bg-sunken p-5 lg:border-l lg:border-border"
        >
          <MessagePhone
            channel={shown.channel}
            message={{
              header: shown.header,
              category: null,
              text: { pieces: shown.pieces },
              at: shown.deliveredAt ?? shown.sentAt,
            }}
            scale={0.75}
          />
          <CopyProof message={shown} />
        </aside>
      ) : null}
    </div>
  )
}

/** Ten digits are read as an Indian number without country code. */
function digitsOf(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '').replace(/^00/, '')
  const full = digits.length === 10 && !text.trim().startsWith('+') ? `91${digits}` : digits
  return full.length >= 7 && full.length <= 15 ? full : undefined
}
